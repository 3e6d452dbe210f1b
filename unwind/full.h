// Steps from a frame to its caller's with all registers, by everything that
// unwind information can say.  This is the slow path, for what rules cannot
// say: it takes 0.1 to 0.3 us a frame.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "memory.h"
#include "outcome.h"
#include "registers.h"
#include "row.h"

namespace stack9::unwind {

// Changes the registers from a frame's to its caller's.  On any other outcome
// than stepped they stay as they were, except sp: a return address of 0 makes
// it the CFA.  It is async-signal-safe, takes no lock and allocates nothing.
outcome full_step(const row &, memory &, registers &) noexcept;

// Does the same with the row of the frame's pc in this process.
outcome full_step_here(memory &, registers &) noexcept;

} // namespace stack9::unwind
