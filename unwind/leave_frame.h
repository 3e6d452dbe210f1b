// Leaves a frame by its instructions: JIT code by those with which compilers
// at run time begin a function, any other by those after a call.  musl
// describes none of its functions.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "memory.h"
#include "registers.h"

namespace stack9::unwind {

// Finds the caller's registers, as far as they are known, if the nearest
// function that begins before pc touches its stack ahead, saves the frame
// pointer and makes room, as functions of HotSpot's compilers do.  Nothing
// proves that pc is still in that function, so the caller checks where the
// result leads.  False: there is no such function, or no memory.
bool leave_compiled(memory &, const registers &, registers &caller) noexcept;

// Finds the caller's registers, as far as they are known, if nothing but a
// frame's removal lies between pc, a return address, and the return: no jump,
// no call, no load.  False: something else does, or there is no memory.
bool leave_returning(memory &, const registers &, registers &caller) noexcept;

// Finds the caller's registers by all of the code between pc and the return:
// jumps, and calls that return, too.  pc is after a call, or after a system
// call.  Where the result leads has to be checked.  False: the code moves the
// stack pointer in another way than by numbers, is too long, or there is no
// memory.
bool leave_by_code(memory &, const registers &, registers &caller) noexcept;

} // namespace stack9::unwind
