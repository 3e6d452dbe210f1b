// Declares the stubs by which linkers bind calls, on x86-64.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "unwind/memory.h"

namespace stack9::unwind {

// Returns how many words a stub has pushed on the call's return address before
// the instruction at pc; -1: it is none of a stub.
int pushed_by_stub(memory &, std::uintptr_t pc) noexcept;

// Gives the address after the jump through a slot that a stub of a PLT begins
// with; 0: there is none at pc.
std::uintptr_t behind_jump(memory &, std::uintptr_t pc) noexcept;

} // namespace stack9::unwind
