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

enum class guess : std::uint8_t { none, by_fp, by_call };

// Finds the registers of a frame's caller.  covered: a module covers the
// frame's pc.  none: nothing supports a guess.
guess guess_registers(memory &, const registers &, bool covered,
    registers &caller) noexcept;

// Puts right the stack pointer of a caller that was found by a pair of words,
// if its row needs it.  False: the row and the registers contradict each other.
// It is for CPUs on which pair_ends_frame is false.
bool place_sp(const row &, memory &, registers &caller) noexcept;

// Does the same with the row that row_of(lookup, row) finds, if it finds one.
template <class F>
bool
place_sp_of(memory &words, registers &caller, F row_of) noexcept
{
	if constexpr (pair_ends_frame) {
		return true;
	} else {
		row r;
		return row_of(caller.lookup(), r) != found::yes ||
		    place_sp(r, words, caller);
	}
}

// Changes the registers from a frame's to its caller's.  False: nothing
// supports a guess, and the registers stay as they were.  It is
// async-signal-safe, takes no lock and allocates nothing.
template <class F>
bool
guess_caller(memory &words, registers &now, bool covered, F row_of) noexcept
{
	registers caller;
	const guess how = guess_registers(words, now, covered, caller);
	if (how == guess::none ||
	    (how == guess::by_fp && !place_sp_of(words, caller, row_of)))
		return false;
	now = caller;
	return true;
}

// Takes the outcome of a step by unwind information.  If there was none, steps
// by a guess; the guess is counted and noted in guessed.  covers(pc) is true if
// a module covers pc.
template <class F, class G>
outcome
or_guess(outcome how, memory &words, registers &now, bool &guessed,
    F covers, G row_of) noexcept
{
	if (how != outcome::no_info ||
	    !guess_caller(words, now, covers(now.pc()), row_of))
		return how;
	guessed = true;
	count(counter::guesses);
	return outcome::stepped;
}

} // namespace stack9::unwind
