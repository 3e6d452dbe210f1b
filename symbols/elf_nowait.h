// Looks up one address by reading a whole symbol table piece by piece, without
// lock or heap.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "symbol_section.h"

namespace stack9 {

// vaddr: the pc less the load bias.  room: the number of symbols read at once.
// 0 or ENOENT.  Does not set sym.module.  Async-signal-safe.
int elf_scan(const bytes &, const symbol_section &, std::span<ElfW(Sym)> room,
    std::uintptr_t vaddr, bool return_address, symbol_name &sym) noexcept;

} // namespace stack9
