// Follows the instructions behind a call up to the return of their function.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "memory.h"
#include "registers.h"

namespace stack9::unwind {

// Finds the caller's registers, as far as they are known, if nothing but a
// frame's removal stands between pc, a return address, and the return: no jump,
// no call, no load.  False: something else does, or there is no memory.
bool leave_returning(memory &, const registers &, registers &caller) noexcept;

} // namespace stack9::unwind
