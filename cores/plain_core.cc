// Copies a core that is compressed, or comes from a pipe, to a file without a
// name.  Pages full of zeros take no room there.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "plain_core.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "budgets/budgets.h"
#include "core/reason.h"
#include "os/strangers_file.h"

namespace stack9::cores {
namespace {

constexpr std::size_t at_once = 1 << 18, hole = 4096;

// A file system without O_TMPFILE gets a file whose name is removed at once.
int
open_nameless(unique_fd &to)
{
	const char *const asked = std::getenv("TMPDIR");
	const std::string dir = asked != nullptr && *asked != '\0' ? asked :
	    "/var/tmp";
	to = unique_fd(open(dir.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
	if (to)
		return 0;
	std::string name = dir + "/stack9.XXXXXX";
	to = unique_fd(mkostemp(name.data(), O_CLOEXEC));
	if (!to)
		return failed(errno, dir + ": no file can be made there for "
		    "the core: " + std::strerror(errno) +
		    "; TMPDIR names another directory");
	unlink(name.c_str());
	return 0;
}

class copied_file {
public:
	explicit copied_file(const unique_fd &to) noexcept : to_(to) {}

	bool take(const char *from, std::size_t size) noexcept;
	bool
	finish() noexcept
	{
		return ftruncate(to_.get(), static_cast<off_t>(size_)) == 0;
	}

private:
	static bool
	is_zero(const char *from, std::size_t size) noexcept
	{
		return *from == '\0' &&
		    std::memcmp(from, from + 1, size - 1) == 0;
	}

	const unique_fd	&to_;
	std::uint64_t	size_ = 0;
};

bool
copied_file::take(const char *from, std::size_t size) noexcept
{
	if (budgets::exceeds(size_ + size, budgets::core_bytes)) {
		errno = EFBIG;
		return false;
	}
	while (size != 0) {
		const std::size_t n = std::min<std::size_t>(size,
		    hole - size_ % hole);
		if (!is_zero(from, n))
			for (std::size_t done = 0; done < n;) {
				const ssize_t put = pwrite(to_.get(),
				    from + done, n - done,
				    static_cast<off_t>(size_ + done));
				if (put < 0 && errno != EINTR)
					return false;
				done += put > 0 ? static_cast<std::size_t>(
				    put) : 0;
			}
		size_ += n;
		from += n;
		size -= n;
	}
	return true;
}

// The first bytes were read already, to recognise them.
class begun_file {
public:
	begun_file(int fd, std::string_view first) : fd_(fd), first_(first) {}

	ssize_t
	read(void *to, std::size_t size) noexcept
	{
		if (!first_.empty()) {
			const std::size_t n = std::min(size, first_.size());
			std::memcpy(to, first_.data(), n);
			first_.remove_prefix(n);
			return static_cast<ssize_t>(n);
		}
		ssize_t n;
		do
			n = ::read(fd_, to, size);
		while (n < 0 && errno == EINTR);
		return n;
	}

private:
	const int		fd_;
	std::string_view	first_;
};

int
copy_plain(const byte_source &from, const byte_sink &to)
{
	std::vector<char> block(at_once);
	ssize_t n;
	while ((n = from(block.data(), block.size())) > 0)
		if (!to(block.data(), static_cast<std::size_t>(n)))
			return errno;
	return n < 0 ? errno : 0;
}

enum class form { elf, zstd, lz4, other };

struct magic {
	std::string_view	bytes;
	form			is;
	const char		*why;
};

constexpr magic magics[] = {
	{"\x7f" "ELF", form::elf, nullptr},
	{"\x28\xb5\x2f\xfd", form::zstd, nullptr},
	{"\x04\x22\x4d\x18", form::lz4, nullptr},
	{"\xfd" "7zX", form::other, "it is compressed by xz: xz -dc FILE | "
	    "stackprint --core - reads it"},
	{"\x1f\x8b", form::other, "it is compressed by gzip: gzip -dc FILE | "
	    "stackprint --core - reads it"},
	{"BZh", form::other, "it is compressed by bzip2: bzip2 -dc FILE | "
	    "stackprint --core - reads it"},
	{"MDMP", form::other, "it is a minidump, which stack9 does not read"},
};

const magic *
magic_of(std::string_view first) noexcept
{
	const auto at = std::find_if(std::begin(magics), std::end(magics),
	    [&](const magic &m) { return first.starts_with(m.bytes); });
	return at == std::end(magics) ? nullptr : at;
}

// A damaged or cut file still has what came before.
int
copy_to(unique_fd &to, int fd, form is, std::string_view first)
{
	if (const int error = open_nameless(to); error != 0)
		return error;
	begun_file from(fd, first);
	copied_file out(to);
	const byte_source read = [&](void *at, std::size_t size) {
		return from.read(at, size);
	};
	const byte_sink write = [&](const char *at, std::size_t size) {
		return out.take(at, size);
	};
	const int error = is == form::zstd ? unpack_zstd(read, write) :
	    is == form::lz4 ? unpack_lz4(read, write) : copy_plain(read, write);
	const bool kept = out.finish();
	if (error == EOPNOTSUPP)
		return failed(error, is == form::zstd ? "it is compressed by "
		    "zstd, and libzstd.so.1 cannot be loaded" :
		    "it is compressed by lz4, and liblz4.so.1 cannot be "
		    "loaded");
	if (error == ENOSPC || error == EFBIG || error == EDQUOT)
		return failed(error, std::string("no room for the core: ") +
		    std::strerror(error) + "; TMPDIR names another directory");
	if (error != 0 && size_of(to) == 0)
		return failed(error, "it is damaged, and nothing of it can be "
		    "read");
	return kept ? 0 : errno;
}

} // namespace

std::uint64_t
size_of(const unique_fd &fd) noexcept
{
	struct stat st;
	return fstat(fd.get(), &st) == 0 && st.st_size > 0 ?
	    static_cast<std::uint64_t>(st.st_size) : 0;
}

int
open_plain_core(const char *path, int fd, unique_fd &to)
{
	std::array<char, 8> first;
	std::size_t n = 0;
	unique_fd own;
	struct stat st;
	if (path != nullptr) {
		own = unique_fd(open(path, O_RDONLY | O_CLOEXEC));
		if (!own)
			return errno;
		fd = own.get();
	}
	if (fstat(fd, &st) != 0)
		return errno;
	if (S_ISDIR(st.st_mode))
		return failed(EINVAL, "it is a directory");
	const bool is_file = S_ISREG(st.st_mode);
	begun_file from(fd, {});
	for (ssize_t got = 1; n < first.size() && got > 0; n += got > 0 ?
	    static_cast<std::size_t>(got) : 0)
		got = from.read(first.data() + n, first.size() - n);
	const std::string_view is(first.data(), n);
	const magic *const m = magic_of(is);
	if (n == 0)
		return failed(EINVAL, "it is empty");
	if (m == nullptr)
		return failed(EINVAL, "it is not an ELF file");
	if (m->why != nullptr)
		return failed(EINVAL, m->why);
	if (m->is != form::elf || !is_file ||
	    lseek(fd, 0, SEEK_CUR) != static_cast<off_t>(n))
		return copy_to(to, fd, m->is, is);
	to = own ? std::move(own) : unique_fd(fcntl(fd, F_DUPFD_CLOEXEC, 3));
	return to ? 0 : errno;
}

} // namespace stack9::cores
