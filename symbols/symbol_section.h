// Declares where the symbols of an image are, how they are read, and how one of
// them is looked up without lock or heap.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <span>

#include "image.h"

namespace stack9 {

// Room for a part of the tables that the loader reads.
struct loader_room {
	std::span<ElfW(Dyn)>		dynamic;
	std::span<std::uint32_t>	words;
};

// The place of the symbols in an image of this machine's class.
struct symbol_section {
	std::uint64_t	offset = 0, size = 0;
	std::uint64_t	names = 0, names_size = 0;	// their string table
	bool		whole = false;	// .symtab: static functions too

	// Finds .symtab, or .dynsym if there is none.  False, with nothing
	// changed: there is neither.  room: the number of section headers read
	// at once.  Async-signal-safe.
	bool find(const bytes &, std::span<ElfW(Shdr)> room) noexcept;
	bool
	find(const bytes &b) noexcept
	{
		ElfW(Shdr) part[8];
		return find(b, part);
	}

	// Finds the exported symbols in the memory of a loaded module, without
	// section headers.  dynamic: the address of its dynamic section.
	// False: there are none.  Async-signal-safe.
	bool find_loaded(const bytes &, std::uintptr_t dynamic,
	    std::uintptr_t bias, loader_room) noexcept;

	// Calls f for each symbol that can be read.
	template <class F>
	void
	each(const bytes &from, std::span<ElfW(Sym)> room, F f) const
	{
		from.each(offset, size, room, [&](const ElfW(Sym) &s) {
			f(s);
			return true;
		});
	}
};

// Looks up one address by reading the whole table piece by piece.  vaddr: the
// pc less the load bias.  room: the number of symbols read at once.  0 or
// ENOENT.  Does not set sym.module.  Async-signal-safe.
int elf_scan(const bytes &, const symbol_section &, std::span<ElfW(Sym)> room,
    std::uintptr_t vaddr, bool return_address, symbol_name &sym) noexcept;

} // namespace stack9
