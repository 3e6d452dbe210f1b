// Decides whether a stack may begin at the frame at which a walk has ended,
// where no unwind information says so.
//
// An overwritten stack ends walks, too: by a return address of 0, or by one
// into code that has no unwind information.  So one of two things is required
// that an overflow does not write: the memory of the stack ends at the frame,
// or the code in front of its return address clears the frame pointer, as the
// ABIs ask of the code that programs and threads begin in.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "call.h"
#include "outcome.h"
#include "row.h"

namespace stack9::unwind {

// The most bytes between the outermost frame and the end of the stack's memory:
// a stack is aligned, and a word may be at its end.
inline constexpr std::uintptr_t end_room = 8;

// Returns true if the outermost frame may end at cfa, on a stack whose memory
// ends at high.
constexpr bool
is_at_end(std::uintptr_t cfa, std::uintptr_t high) noexcept
{
	return cfa <= high && high - cfa <= end_room;
}

// Returns how a step to a return address of 0 ends.  A frame pointer that was
// written over may lead to the end of the stack and to a 0 there.  But the
// caller of the outermost frame has none, as the ABIs ask of the code that
// programs and threads begin in.  by_fp: the step was by the frame pointer; fp:
// the caller's.
constexpr outcome
outcome_of_zero(bool by_fp, std::uintptr_t fp) noexcept
{
	return by_fp && fp != 0 ? outcome::strayed : outcome::zero;
}

// Returns true if a return address is in the code that a program begins with,
// after the entry of its file; both are of the same kind.
constexpr bool
is_behind_entry(std::uint64_t pc, std::uint64_t entry) noexcept
{
	constexpr std::uint64_t most = 64;	// bytes of _start
	return entry != 0 && pc - entry - 1 < most;
}

// Returns true if a return address is a planted one, as makecontext(3) leaves
// it: the first instruction, at pc, of a function in which a stack begins.
// next and at: the function's row, and the address by which it was looked up.
inline bool
is_planted(const row &next, std::uint64_t at, memory &words, std::uintptr_t pc)
    noexcept
{
	return next.begin == at && (rule_of_row(next, at).kind() == kind::end ||
	    takes_stack(words, pc));
}

// Returns true if a program or a thread begins in the code that has called
// something at pc; is_start(pc) says so of the program's own entry.
template <class F>
bool
is_root(memory &words, std::uintptr_t pc, F is_start) noexcept
{
	return behind_call(words, pc) &&
	    (is_start(pc) || begins_stack(words, pc));
}

// Returns true if a walk that stopped at pc has come to the outermost frames.
// musl's functions between the code that a program or a thread begins in and
// main() or the thread's function have no unwind information, but small frames.
// So the words from sp on are examined, too.
template <class F>
bool
is_outermost(memory &words, std::uintptr_t pc, std::uintptr_t sp, F is_start)
    noexcept
{
	constexpr std::uintptr_t most = 16;
	std::uintptr_t word;
	if (is_root(words, pc, is_start))
		return true;
	for (std::uintptr_t n = 0; n < most &&
	    words.word(sp + n * sizeof word, word); n++)
		if (is_root(words, word, is_start))
			return true;
	return false;
}

} // namespace stack9::unwind
