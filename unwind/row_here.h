// Finds the row, and the rule, for an address of this process's code.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "memory.h"
#include "row.h"

namespace stack9::unwind {

// Finds the row for an address of this process's code.  no: no module is there,
// or no unwind information covers the address.  A signal trampoline without
// unwind information is known by its instructions.  It takes no lock and
// allocates nothing; it makes a system call, to read such instructions, only if
// no unwind information covers the address.
found row_here(std::uintptr_t pc, row &) noexcept;

// Does the second part of that: f and, if f is yes, to are what the tables say;
// a signal trampoline at pc overrides them.
found or_trampoline(found f, memory &, std::uintptr_t pc, row &to) noexcept;

// Finds the rule by row_here() and rule_of_row(); its kind is absent if there
// is none.
rule rule_here(std::uintptr_t pc) noexcept;

} // namespace stack9::unwind
