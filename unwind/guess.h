// The caller of a frame that no unwind information describes, as far as it can
// be told without being made up.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "full.h"
#include "memory.h"
#include "registers.h"

namespace stack9::unwind {

// Takes the frame to its caller's.  False: there is nothing to go by, and the
// registers are as they were.  Async-signal-safe, no lock, no allocation.
bool guess_caller(memory &, registers &) noexcept;

// How a step by unwind information ended, or, where there was none, by a guess:
// that is counted, and noted in guessed.
outcome or_guess(outcome, memory &, registers &, bool &guessed) noexcept;

} // namespace stack9::unwind
