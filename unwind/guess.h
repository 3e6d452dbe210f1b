// The caller of a frame that no unwind information describes, as far as it can
// be told without being made up.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "full.h"
#include "counts.h"
#include "memory.h"
#include "registers.h"

namespace stack9::unwind {

// Takes the frame to its caller's.  covered: a module covers its pc.  False:
// there is nothing to go by, and the registers are as they were.
// Async-signal-safe, no lock, no allocation.
bool guess_caller(memory &, registers &, bool covered) noexcept;

// How a step by unwind information ended, or, where there was none, by a guess:
// that is counted, and noted in guessed.  covers(pc): whether a module does.
template <class F>
outcome
or_guess(outcome how, memory &words, registers &now, bool &guessed,
    F covers) noexcept
{
	if (how != outcome::no_info ||
	    !guess_caller(words, now, covers(now.pc())))
		return how;
	guessed = true;
	count(counter::guesses);
	return outcome::stepped;
}

} // namespace stack9::unwind
