// Declares an ELF image of this process and the file that it was mapped from;
// the cached and the async-signal-safe lookups share it.  Everything here is
// async-signal-safe and allocates nothing.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <link.h>
#include <unistd.h>

#include "core/seam/record.h"

#include "os/unique_fd.h"

namespace stack9 {

// The bytes of an image.  They come from a file, or from memory from base on:
// by /proc/self/mem (fd) or a system call (own), so that an unmapped page is an
// error, or directly where the caller knows that they stay mapped.
struct bytes {
	static constexpr int own = -2;

	int		fd = -1;
	std::uintptr_t	base = 0;
	std::size_t	size = SIZE_MAX;

	// The number of bytes, of the n at off, that could be read.
	std::size_t read(std::uint64_t off, void *to, std::size_t n)
	    const noexcept;

	template <typename T>
	bool
	get(std::uint64_t off, T &to) const noexcept
	{
		return read(off, &to, sizeof(to)) == sizeof(to);
	}

	// All whole items of the n bytes at off that need no copy.
	template <typename T>
	std::span<const T>
	in_place(std::uint64_t off, std::uint64_t n) const noexcept
	{
		if (fd != -1 || off >= size || (base + off) % alignof(T) != 0)
			return {};
		return {reinterpret_cast<const T *>(base + off),
		    std::min<std::uint64_t>(n, size - off) / sizeof(T)};
	}

	// Calls f for each item of the n bytes at off, until f returns false or
	// an item cannot be read.  As many are read at once as the room holds,
	// and none are copied that lie in memory.
	template <typename T, class F>
	void
	each(std::uint64_t off, std::uint64_t n, std::span<T> room, F f) const
	{
		const std::span<const T> there = in_place<T>(off, n);
		for (const T &item : there)
			if (!f(item))
				return;
		for (std::uint64_t done = there.size_bytes(); done < n;) {
			const std::size_t got = read(off + done, room.data(),
			    std::min<std::uint64_t>(room.size_bytes(),
			    n - done)) / sizeof(T);
			for (const T &item : room.first(got))
				if (!f(item))
					return;
			if (got == 0)
				return;
			done += got * sizeof(T);
		}
	}
};

struct build_id {
	std::uint32_t	size = 0;	// 0: the image has none
	unsigned char	data[40] = {};	// its beginning, if it is longer

	bool operator==(const build_id &) const = default;
};

// The place of a note in the image: at p_offset in a file; delta bytes after
// its p_vaddr in memory that is mapped at base.
struct placement {
	bool		mapped;
	std::uintptr_t	delta;		// load bias minus base
};

// True if the image has a valid header of this machine's class.
bool read_header(const bytes &, ElfW(Ehdr) &) noexcept;

// room: as much of the image is read at once as this holds, if it is there.
build_id find_build_id(const bytes &, placement,
    std::span<unsigned char> room = {}) noexcept;
// Reads the build ID of a loaded module.  It may be unloaded meanwhile.
build_id mapped_build_id(std::uintptr_t lo, std::uintptr_t hi,
    std::uintptr_t bias, std::span<unsigned char> room = {}) noexcept;

// A loaded module.
struct module_image {
	std::uintptr_t	 lo, hi;	// its addresses
	std::uintptr_t	 bias;		// address minus p_vaddr
	const char	*path;		// as in the loader; "": the program
	build_id	 id{};		// read from memory
	std::span<unsigned char> room{};	// of find_build_id()
	std::uintptr_t	 dynamic = 0;	// its dynamic section, or 0: unknown

	bool is_vdso() const noexcept;
	// True if it cannot be unloaded: the program, the vdso, and the C
	// library that this library calls.
	bool stays() const noexcept;
	// All of it, where it is mapped.  It may be unloaded meanwhile.
	bytes memory() const noexcept;
	build_id mapped_id() const noexcept;
	void module_name(char (&name)[sizeof(symbol_name::module)])
	    const noexcept;

	// The program's file if this is the program that the kernel started.
	// It needs no comparison: the kernel has the link changed by nobody
	// as long as a part of the file is mapped.
	unique_fd open_program() const noexcept;

	// The file that it was mapped from, never another file that has its
	// name now; no file if it cannot be opened.  pc: an address in the
	// module.
	unique_fd open_file(std::uintptr_t pc) const noexcept;
};

// A line of /proc/self/maps.
struct mapping {
	std::uintptr_t	start = 0;
	std::uintptr_t	end = 0;
	std::uint64_t	inode = 0;	// 0: no file
};

// Finds the mapping that holds addr.  Async-signal-safe; errno may change.
bool find_mapping(std::uintptr_t addr, mapping &) noexcept;

// One function symbol.  If two cover an address, the better name is decided in
// this order: the inner one (greater start); the longer, because it leaves no
// address to a sibling; global before weak before local, because a local alias
// is an implementation's private name; the shorter name, because it has fewer
// leading underscores and version suffixes; the first in the table, to make the
// answer unique.
struct function_symbol {
	std::uint64_t	start;		// p_vaddr
	std::uint64_t	size;		// 0: covers its own address only
	std::uint32_t	rank;
	std::uint32_t	name_length;	// never 0

	bool
	covers(std::uint64_t vaddr) const noexcept
	{
		return vaddr - start < (size != 0 ? size : 1);
	}
	bool better_than(const function_symbol &) const noexcept;
};

// False if it names no function.  The caller sets name_length.  symbol: an
// Elf32_Sym or an Elf64_Sym.
template <class symbol> bool
to_function(const symbol &s, function_symbol &f) noexcept
{
	const unsigned int type = ELF64_ST_TYPE(s.st_info);
	const bool typed = type == STT_FUNC || type == STT_GNU_IFUNC;
	if (s.st_shndx == SHN_UNDEF || s.st_shndx == SHN_ABS || s.st_name == 0)
		return false;
	if (!typed && (type != STT_NOTYPE || s.st_size == 0))
		return false;
	const unsigned int bind = ELF64_ST_BIND(s.st_info);
	f.start = s.st_value;
	f.size = s.st_size;
	f.rank = bind == STB_LOCAL ? 4 : bind == STB_WEAK ? 2 : 0;
	f.rank += typed ? 0 : 1;
	f.name_length = 0;
	return true;
}

// The length of a name: it ends at its NUL, at the '@' of a version that the
// linker wrote into .symtab, or at max.
std::size_t name_length(const char *name, std::size_t max) noexcept;

} // namespace stack9
