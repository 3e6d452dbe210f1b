// Recognises the frame of made code by the instructions with which compilers at
// run time begin a function.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "memory.h"
#include "registers.h"

namespace stack9::unwind {

// Finds the caller's registers, as far as they are known, if the nearest
// function that begins before pc touches its stack ahead, saves the frame
// pointer and makes room, as HotSpot's compilers have it.  Nothing tells that
// pc is still in that function: where the result leads has to be checked.
// False: there is no such function, or no memory.
bool leave_compiled(memory &, const registers &, registers &caller) noexcept;

} // namespace stack9::unwind
