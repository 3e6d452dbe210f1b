// Finds the caller of a frame that no unwind information describes, as far as
// the stack itself supports the answer.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "full.h"
#include "counts.h"
#include "memory.h"
#include "registers.h"

namespace stack9::unwind {

// Finds the registers of the caller in the pair of words that the frame pointer
// points to; both may be the same object.  False: the pair is in the frame, or
// it cannot be read.
bool read_pair(memory &, const registers &, registers &caller) noexcept;

// Changes the registers from a frame's to its caller's.  covered: a module
// covers the frame's pc.  False: nothing supports a guess, and the registers
// stay as they were.  It is async-signal-safe, takes no lock and allocates
// nothing.
bool guess_caller(memory &, registers &, bool covered) noexcept;

// Takes the outcome of a step by unwind information.  If there was none, steps
// by a guess, which is counted and noted in guessed.  covers(pc) tells whether
// a module covers pc.
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
