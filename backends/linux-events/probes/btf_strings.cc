// Reads /sys/kernel/btf.  The files are mapped if the kernel allows that
// (6.16).  Otherwise they are read, with a call for each page.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "btf_strings.h"

#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <linux/btf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/proc_task.h"

namespace stack9::events {
namespace {

constexpr const char *btf_dir = "/sys/kernel/btf", *vmlinux = "vmlinux";

class blob {
public:
	explicit blob(const std::string &path)
	{
		struct stat st;
		if (file.open(AT_FDCWD, path.c_str()) != 0 ||
		    fstat(file.get(), &st) != 0 || st.st_size <= 0)
			return;
		size = static_cast<std::size_t>(st.st_size);
		map = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(),
		    0);
		if (map != MAP_FAILED)
			return;
		read.resize(size);
		std::string_view all;
		if (file.read({read.data(), read.size()}, all) !=
		    ENAMETOOLONG || all.size() > size)
			read.clear();
	}
	~blob()
	{
		if (map != MAP_FAILED)
			munmap(map, size);
	}
	blob(const blob &) = delete;
	blob &operator=(const blob &) = delete;

	std::string_view
	strings() const noexcept
	{
		return strings_in_btf(map != MAP_FAILED ?
		    std::string_view(static_cast<const char *>(map), size) :
		    std::string_view(read));
	}

private:
	proc_file	file;
	std::size_t	size = 0;
	void		*map = MAP_FAILED;
	std::string	read;
};

// memmem(3) is ten times as fast as string_view::find().
std::size_t
find(std::string_view in, std::string_view what, std::size_t from)
{
	if (in.size() == from)	// there may be no bytes to point to
		return in.npos;
	const void *const at = memmem(in.data() + from, in.size() - from,
	    what.data(), what.size());
	return at == nullptr ? in.npos :
	    static_cast<std::size_t>(static_cast<const char *>(at) - in.data());
}

// Calls f with the kernel's strings, then with each module's, until f says
// true.
template <class F>
bool
any(F f)
{
	const std::filesystem::path folder(btf_dir);
	if (f(blob(folder / vmlinux).strings()))
		return true;
	std::error_code ignored;
	for (const auto &module :
	    std::filesystem::directory_iterator(folder, ignored))
		if (module.path().filename() != vmlinux &&
		    f(blob(module.path()).strings()))
			return true;
	return false;
}

} // namespace

std::string_view
strings_in_btf(std::string_view all) noexcept
{
	btf_header h;
	if (all.size() < sizeof h)
		return {};
	std::memcpy(&h, all.data(), sizeof h);
	const std::uint64_t at = std::uint64_t{h.hdr_len} + h.str_off;
	if (h.magic != BTF_MAGIC || at > all.size() ||
	    h.str_len > all.size() - at)
		return {};
	return all.substr(at, h.str_len);
}

bool
has_string(std::string_view strings, const std::string &name)
{
	return find(strings, std::string(1, '\0') + name +
	    std::string(1, '\0'), 0) != strings.npos;
}

void
each_string(std::string_view strings, const std::string &prefix,
    const std::function<void(std::string_view)> &f)
{
	const std::string begin = std::string(1, '\0') + prefix;
	for (std::size_t at = 0;
	    (at = find(strings, begin, at)) != strings.npos;) {
		at += begin.size();
		const std::size_t end = strings.find('\0', at);
		if (end == strings.npos)
			return;
		f(strings.substr(at, end - at));
		at = end;
	}
}

bool
btf_strings::are_there() noexcept
{
	const std::string file = std::string(btf_dir) + "/" + vmlinux;
	return access(file.c_str(), R_OK) == 0;
}

bool
btf_strings::has(const std::string &name)
{
	return any([&](std::string_view s) { return has_string(s, name); });
}

void
btf_strings::each(const std::string &prefix,
    const std::function<void(std::string_view)> &f)
{
	any([&](std::string_view s) {
		each_string(s, prefix, f);
		return false;
	});
}

} // namespace stack9::events
