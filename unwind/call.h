// Calls, by the bytes of their instructions: what a word has to point behind
// to be taken for a return address where nothing describes the frame.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "memory.h"
#include "registers.h"

namespace stack9::unwind {

// Whether there is a call just before the address.
bool behind_call(memory &, std::uintptr_t address) noexcept;

// The registers as they were before the call that led to pc, if nothing has
// been executed since.
bool before_call(memory &, const registers &, registers &caller) noexcept;

// Whether the code at pc does nothing but go on elsewhere, as a linker's stub
// does: the call's return address is still where the call has left it.
bool forwards(memory &, std::uintptr_t pc) noexcept;

} // namespace stack9::unwind
