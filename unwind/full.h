// Full stepping: all registers of a frame, by everything that unwind
// information can say.  The slow path behind the rules, 0.1 to 0.3 us a frame.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "memory.h"
#include "outcome.h"
#include "registers.h"
#include "row.h"

namespace stack9::unwind {

// Takes the frame to its caller's.  On any other outcome than stepped the
// registers are as they were.  Async-signal-safe, no lock, no allocation.
outcome full_step(const row &, memory &, registers &) noexcept;

// What full_step() does for the frame's pc in this process.
outcome full_step_here(memory &, registers &) noexcept;

} // namespace stack9::unwind
