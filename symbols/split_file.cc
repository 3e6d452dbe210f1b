// Opens .dwo files for libdw.
//
// libdw opens the file by the name that the unit has, and nothing else can give
// it one.  So the file is opened here, is copied into a memfd, and for the
// length of one call the name in libdw's copy of the section is the memfd's
// link in /proc.  Rejected: to look at the file first and let libdw open it by
// its name, because another file may have the name by then, and because libdw
// maps the file: that raises SIGBUS if the file shrinks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "split_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include <dwarf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "budgets/budgets.h"
#include "budgets/left_out.h"

#include "open_named.h"

namespace stack9 {
namespace {

using budgets::left_out;

const char *
attribute_text(Dwarf_Die &die, unsigned int name, Dwarf_Attribute &a)
{
	return dwarf_attr(&die, name, &a) == nullptr ? nullptr :
	    dwarf_formstring(&a);
}

std::vector<std::string>
candidates(const opened_elf &f, const std::string &name, const char *dir)
{
	if (name.starts_with('/'))
		return {name};
	const std::string beside = f.path.substr(0, f.path.rfind('/') + 1);
	std::vector<std::string> all{beside + name};
	if (dir != nullptr)
		all.push_back((*dir == '/' ? "" : beside) + dir + '/' + name);
	return all;
}

bool
copy(int from, int to, std::uint64_t size)
{
	std::vector<char> part(1 << 16);
	const bytes b{from};
	for (std::uint64_t at = 0; at < size;) {
		const std::size_t got = b.read(at, part.data(),
		    std::min<std::uint64_t>(part.size(), size - at));
		if (got == 0 ||
		    write(to, part.data(), got) != static_cast<ssize_t>(got))
			return false;
		at += got;
	}
	return true;
}

// Returns true if libdw may have it: nothing in it is beyond its budget.
bool
fits(int fd, budgets::share &share) noexcept
{
	std::uint64_t size = 0;
	struct stat st;
	const unique_elf elf = open_elf(fd);
	if (elf == nullptr || fstat(fd, &st) != 0)
		return false;
	if (process::read_debug_sections(fd, elf.get(), size) &&
	    share.take(size + static_cast<std::uint64_t>(st.st_size)))
		return true;
	leave_out(left_out::debug_sections);
	return false;
}

// No file: there is none of that name, or it is not for us.
unique_fd
copy_of(const std::string &path)
{
	unique_fd fd;
	struct stat st;
	const int error = open_named(path.c_str(), fd, &st);
	const auto size = static_cast<std::uint64_t>(st.st_size);
	if (error == EINVAL || (error == 0 && !process::may_read(fd.get(), 0,
	    size, budgets::split_file)))
		leave_out(left_out::debug_files);
	else if (error == 0) {
		unique_fd to(memfd_create("stack9", MFD_CLOEXEC |
		    MFD_ALLOW_SEALING));
		if (to && copy(fd.get(), to.get(), size))
			return to;
	}
	return unique_fd();
}

// The section that a text is in.
struct section_of {
	Elf_Data	*raw = nullptr, *data = nullptr;

	section_of(Elf *elf, const char *text) noexcept
	{
		for (Elf_Scn *s = nullptr; data == nullptr &&
		    (s = elf_nextscn(elf, s)) != nullptr;) {
			Elf_Data *const d = elf_getdata(s, nullptr);
			raw = elf_rawdata(s, nullptr);
			const auto *const from = d == nullptr ? nullptr :
			    static_cast<const char *>(d->d_buf);
			// libdw takes the one or the other.
			if (from != nullptr && text >= from &&
			    text < from + d->d_size && raw != nullptr &&
			    raw->d_buf == d->d_buf)
				data = d;
		}
	}
	void
	set(void *buffer) noexcept
	{
		raw->d_buf = data->d_buf = buffer;
	}
};

// Has a file's link in place of a name as long as it lives.
class renamed {
public:
	// inside: the name is among other things, whose places must not change.
	// Throws std::bad_alloc.
	renamed(Elf *elf, const char *name, bool inside, int fd)
	    : in_(elf, name)
	{
		const Elf_Data *const data = in_.data;
		std::string link = "/proc/self/fd/" + std::to_string(fd);
		const std::size_t had = std::strlen(name);
		if (data == nullptr || (inside && had < link.size()))
			return;
		if (inside)
			link.insert(0, had - link.size(), '/');
		const auto at = static_cast<std::size_t>(name -
		    static_cast<char *>(data->d_buf));
		was_.assign(name, std::min(link.size() + 1,
		    data->d_size - at));
		if (was_.size() <= link.size())
			make_room(link.size());
		at_ = static_cast<char *>(data->d_buf) + at;
		std::memcpy(at_, link.c_str(), link.size() + 1);
	}
	~renamed()
	{
		if (at_ != nullptr)
			std::memcpy(at_, was_.data(), was_.size());
		if (!longer_.empty())
			in_.set(buffer_);
	}
	renamed(const renamed &) = delete;
	renamed &operator=(const renamed &) = delete;
	bool is_done() const noexcept { return at_ != nullptr; }

private:
	// The name is the last of its section, and shorter than the link.
	void
	make_room(std::size_t more)
	{
		buffer_ = in_.data->d_buf;
		longer_.resize(in_.data->d_size + more + 1);
		std::memcpy(longer_.data(), buffer_, in_.data->d_size);
		in_.set(longer_.data());
	}

	section_of		in_;
	char			*at_ = nullptr;
	std::string		was_;
	void			*buffer_ = nullptr;
	std::vector<char>	longer_;
};

// An ELF file with one debug section of nothing.
struct empty_debug_file {
	Elf64_Ehdr	header{};
	Elf64_Shdr	sections[3]{};
	char		names[24] = "\0.debug_info\0.shstrtab";
	char		info[8] = "";

	empty_debug_file() noexcept
	{
		const auto place = [this](const void *p) {
			return static_cast<Elf64_Off>(
			    static_cast<const char *>(p) -
			    reinterpret_cast<const char *>(this));
		};
		header = header_of_sections(place(sections),
		    std::size(sections));
		sections[1].sh_name = 1;
		sections[1].sh_type = SHT_PROGBITS;
		sections[1].sh_offset = place(info);
		sections[1].sh_size = 1;
		sections[2].sh_name = 13;
		sections[2].sh_type = SHT_STRTAB;
		sections[2].sh_offset = place(names);
		sections[2].sh_size = sizeof names;
	}
};

// The names are those of the viewer's files.  A file that has another name
// here, or none, is of another mount namespace or was deleted, and what its
// names say is not true here.
unique_fd
find_file(const opened_elf &f, package_file &package, const char *name,
    Dwarf_Die &skeleton, budgets::share &share)
{
	Dwarf_Attribute a;
	std::uint64_t id;
	unique_fd fd;
	if (is_here(f.path, f.fd.get()))
		for (const std::string &path : candidates(f, name,
		    attribute_text(skeleton, DW_AT_comp_dir, a)))
			if ((fd = copy_of(path)))
				return fd;
	if (dwarf_cu_info(skeleton.cu, nullptr, nullptr, nullptr, nullptr, &id,
	    nullptr, nullptr) == 0)
		fd = package.unit(id, share);
	return fd;
}

// Counts all reasons to leave out a split file.
std::uint64_t
all_left_out() noexcept
{
	return how_many(left_out::debug_sections) +
	    how_many(left_out::debug_files);
}

} // namespace

bool
stop_search(Dwarf *d, no_alternate &to) noexcept
{
	static empty_debug_file image;	// libelf does not write there
	if (to.dwarf == nullptr) {
		to.elf.reset(process::begin_elf(
		    reinterpret_cast<char *>(&image), sizeof image));
		to.dwarf = dwarf_begin_elf(to.elf.get(), DWARF_C_READ, nullptr);
	}
	if (to.dwarf != nullptr)
		dwarf_setalt(d, to.dwarf);
	return to.dwarf != nullptr;
}

split_found
find_split(const opened_elf &f, package_file &package, Dwarf_Die skeleton,
    Dwarf_Die &split, budgets::share &share)
{
	Dwarf_Attribute a;
	const char *name = attribute_text(skeleton, DW_AT_dwo_name, a);
	if (name == nullptr)
		name = attribute_text(skeleton, DW_AT_GNU_dwo_name, a);
	if (name == nullptr || *name == '\0')
		return split_found::no;
	const std::uint64_t before = all_left_out();
	const unique_fd fd = find_file(f, package, name, skeleton,
	    share);
	if (!fd || fcntl(fd.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK |
	    F_SEAL_GROW) != 0 || !fits(fd.get(), share))
		return all_left_out() != before ? split_found::left_out :
		    split_found::no;
	const renamed link(f.elf.get(), name,
	    dwarf_whatform(&a) == DW_FORM_string, fd.get());
	split = {};
	return link.is_done() && dwarf_cu_info(skeleton.cu, nullptr, nullptr,
	    nullptr, &split, nullptr, nullptr, nullptr) == 0 &&
	    split.cu != nullptr ? split_found::yes : split_found::no;
}

} // namespace stack9
