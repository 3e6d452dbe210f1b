// One lookup by reading a whole symbol table from end to end, in pieces:
// without lock or heap.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "image.h"

namespace stack9 {

// Where the symbols are in an image of this machine's class.
struct symbol_section {
	std::uint64_t	offset = 0, size = 0;
	std::uint64_t	names = 0, names_size = 0;	// their string table
	bool		whole = false;	// .symtab: static functions too

	// .symtab, else .dynsym; false, and untouched: there are none.
	// Async-signal-safe.
	bool find(const bytes &) noexcept;
};

// vaddr: the pc less the load bias.  room: for how many symbols are read at
// once.  0 or ENOENT.  Does not set sym.module.  Async-signal-safe.
int elf_scan(const bytes &, const symbol_section &, std::span<ElfW(Sym)> room,
    std::uintptr_t vaddr, bool return_address, stack9_symbol &sym) noexcept;

} // namespace stack9
