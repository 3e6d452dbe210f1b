// The caller of a frame that no unwind information describes, as far as it can
// be told without being made up.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "memory.h"
#include "registers.h"

namespace stack9::unwind {

// Takes the frame to its caller's.  False: there is nothing to go by, and the
// registers are as they were.  Async-signal-safe, no lock, no allocation.
bool guess_caller(memory &, registers &) noexcept;

} // namespace stack9::unwind
