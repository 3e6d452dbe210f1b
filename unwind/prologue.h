// Finds a frame pointer by the instructions that set it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory.h"

namespace stack9::unwind {

// Finds the frame pointer of a function that has called another one.  begin is
// the function's first instruction, call an address in the call instruction,
// sp the stack pointer once the call has returned.  Only the instructions from
// begin up to the first jump or call are read.  The function may have moved its
// stack pointer since, so the caller checks where the result leads.  False:
// they set no frame pointer, or are not known, or there is no memory.
bool fp_by_prologue(memory &, std::uintptr_t begin, std::uintptr_t call,
    std::uintptr_t sp, std::uintptr_t &fp) noexcept;

// Returns true if one of the instructions before a call in a function makes the
// frame pointer point into the function's own frame.  Jumps do not end the
// search, because the frame may be made after one.  It is for CPUs on which
// pair_ends_frame is false.
bool sets_fp(memory &, std::uintptr_t begin, std::uintptr_t call) noexcept;

// Gives the bytes of arguments that a call has on the stack, by the instruction
// at its return address that removes them; 0: none is known.
std::size_t bytes_of_arguments(memory &, std::uintptr_t pc) noexcept;

} // namespace stack9::unwind
