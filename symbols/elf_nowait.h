// One lookup by reading a whole symbol table; see elf_find_nowait().
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "image.h"

namespace stack9 {

// vaddr: the pc less the load bias.  0 or ENOENT.  Does not set sym.module.
// Async-signal-safe.
int elf_scan(const bytes &, std::uintptr_t vaddr, bool return_address,
    stack9_symbol &sym) noexcept;

} // namespace stack9
