// Opens the files that modules of this process were mapped from, and names the
// modules.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "image.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include "os/strangers_file.h"

namespace stack9 {
namespace {

constexpr char running_program[] = "/proc/self/exe";

// A program may have moved its code to memory of no file; then the mapping of
// the file's headers shows the file.
bool
find_file_mapping(const module_image &image, std::uintptr_t pc, mapping &to)
    noexcept
{
	for (const std::uintptr_t at : {pc, image.lo, image.hi - 1})
		if (find_mapping(at, to) && to.inode != 0)
			return true;
	return false;
}

// Compares inode numbers alone: on btrfs and overlayfs the device in maps is
// not that of stat(2), and the number of a mapped file is not reused.
bool
same_inode(const module_image &image, int fd, std::uintptr_t pc) noexcept
{
	struct stat st;
	mapping m;
	return find_file_mapping(image, pc, m) && fstat(fd, &st) == 0 &&
	    st.st_ino == m.inode;
}

// The name may be that of a FIFO or of a device by now, except that of the C
// library: nobody changes that file who could not change this process.
unique_fd
open_file_named(const module_image &m, const char *path) noexcept
{
	unique_fd fd;
	if (m.stays() && path == m.path && path[0] == '/')
		fd = unique_fd(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK |
		    O_NOCTTY));
	else
		open_regular(path, fd);
	return fd;
}

unique_fd
open_if_same(const module_image &m, const char *path, std::uintptr_t pc)
    noexcept
{
	unique_fd fd = open_file_named(m, path);
	if (!fd)
		return fd;
	const build_id id = find_build_id(bytes{fd.get()}, {false, 0},
	    m.room);
	if (id == m.id && (id.size != 0 || same_inode(m, fd.get(), pc)))
		return fd;
	return unique_fd();
}

char *
put_hex(char *p, std::uintptr_t n) noexcept
{
	int shift = sizeof(n) * 8 - 4;
	while (shift > 0 && (n >> shift) == 0)
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		*p++ = "0123456789abcdef"[(n >> shift) & 15];
	return p;
}

// Opens the mapped file itself, whatever happened to its name.  Needs
// CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN.
unique_fd
open_mapped(const module_image &m, std::uintptr_t pc) noexcept
{
	static constexpr char dir[] = "/proc/self/map_files/";
	mapping v;
	if (!find_file_mapping(m, pc, v))
		return unique_fd();
	char path[sizeof(dir) + 2 * 16 + 1];
	memcpy(path, dir, sizeof(dir));
	char *p = put_hex(path + sizeof(dir) - 1, v.start);
	*p++ = '-';
	*put_hex(p, v.end) = '\0';
	return open_if_same(m, path, pc);
}

void
copy_base_name(const char *path, std::size_t length,
    char (&name)[sizeof(symbol_name::module)]) noexcept
{
	std::size_t from = length;
	while (from > 0 && path[from - 1] != '/')
		from--;
	const std::size_t n = std::min(length - from, sizeof(name) - 1);
	memcpy(name, path + from, n);
	name[n] = '\0';
}

// The name is that of the link.  Rejected: argv[0], because the program may
// choose it ("-bash"), unless the link cannot be read or does not fit.
bool
read_program_name(char (&name)[sizeof(symbol_name::module)]) noexcept
{
	static constexpr char deleted[] = " (deleted)";
	constexpr std::size_t tail = sizeof(deleted) - 1;
	char link[512];
	ssize_t n = readlink(running_program, link, sizeof(link));
	if (n <= 0 || n == sizeof(link))
		return false;
	std::size_t length = static_cast<std::size_t>(n);
	if (length > tail && memcmp(link + length - tail, deleted, tail) == 0)
		length -= tail;
	copy_base_name(link, length, name);
	return true;
}

constinit char program_name[sizeof(symbol_name::module)]{};

// At load nobody waits for a name.
__attribute__((constructor)) void
note_program_name() noexcept
{
	read_program_name(program_name);
}

} // namespace

bool
module_image::is_vdso() const noexcept
{
	return lo == getauxval(AT_SYSINFO_EHDR);
}

bool
module_image::stays() const noexcept
{
	const auto has = [this](std::uintptr_t address) {
		return address - lo < hi - lo;
	};
	return is_vdso() || has(getauxval(AT_ENTRY)) ||
	    has(reinterpret_cast<std::uintptr_t>(&getauxval));
}

bytes
module_image::memory() const noexcept
{
	return {stays() ? -1 : bytes::own, lo, hi - lo};
}

build_id
module_image::mapped_id() const noexcept
{
	return stays() ? find_build_id(memory(), {true, bias - lo}) :
	    mapped_build_id(lo, hi, bias, room);
}

void
module_image::module_name(char (&name)[sizeof(symbol_name::module)])
    const noexcept
{
	if (is_vdso()) {
		memcpy(name, "[vdso]", sizeof("[vdso]"));
		return;
	}
	if (*path != '\0') {
		copy_base_name(path, strlen(path), name);
		return;
	}
	if (program_name[0] != '\0')
		memcpy(name, program_name, sizeof program_name);
	else if (!read_program_name(name))
		copy_base_name(program_invocation_short_name,
		    strlen(program_invocation_short_name), name);
}

// With the loader as the program, the entry is the loader's.
unique_fd
module_image::open_program() const noexcept
{
	const std::uintptr_t entry = getauxval(AT_ENTRY);
	if (*path != '\0' || entry < lo || entry >= hi)
		return unique_fd();
	// Nothing but a regular file is run.
	return unique_fd(open(running_program, O_RDONLY | O_CLOEXEC));
}

unique_fd
module_image::open_file(std::uintptr_t pc) const noexcept
{
	const bool program = *path == '\0';
	unique_fd fd = open_if_same(*this, program ? running_program : path,
	    pc);
	if (!fd && program)	// it was started as an argument of the loader
		fd = open_if_same(*this, program_invocation_name, pc);
	if (!fd)
		fd = open_mapped(*this, pc);
	return fd;
}

} // namespace stack9
