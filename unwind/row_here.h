// Which code of this process is where: _dl_find_object(3), which takes no
// lock and is async-signal-safe (glibc 2.35 and later).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "memory.h"
#include "row.h"

namespace stack9::unwind {

// The row for an address of this process's code.  no: no module is there, or
// no unwind information covers it.  Also knows a signal trampoline by its
// instructions where it has no unwind information.  No lock, no allocation; a
// system call, to read such instructions, only where none covers the address.
found row_here(std::uintptr_t pc, row &) noexcept;

// What of that is behind the tables, which said f, and to where that is yes.
found or_trampoline(found f, memory &, std::uintptr_t pc, row &to) noexcept;

// The rule for it: row_here() and rule_of_row(), kind absent for none.
rule rule_here(std::uintptr_t pc) noexcept;

} // namespace stack9::unwind
