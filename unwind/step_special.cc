// Leaves signal frames, realigned frames and frames without unwind information.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "step_special.h"

#include <algorithm>

#include "os/program_start.h"

#include "begin.h"
#include "counts.h"
#include "guess.h"
#include "leave_frame.h"
#include "module.h"
#include "row_here.h"

namespace stack9::unwind {
namespace {

std::uintptr_t
word_at(std::uintptr_t at) noexcept
{
	return *reinterpret_cast<const std::uintptr_t *>(at);
}

const std::uintptr_t *
place_at(std::uintptr_t at) noexcept
{
	return reinterpret_cast<const std::uintptr_t *>(at);
}

// Returns true if the words of [from, to) can be read, and extends the range to
// them.
bool
reaches(range &stack, std::uintptr_t from, std::uintptr_t to) noexcept
{
	return from % 8 == 0 && from >= stack.low && from < to &&
	    (to <= stack.high || grow(stack, to));
}

// The interrupted code may have run on this stack or on another.
special_outcome
leave_signal(stacks &known, range *&stack, position &at) noexcept
{
	constexpr std::size_t size =
	    std::max({signal_pc, signal_sp, signal_fp}) + 8;
	if (!reaches(*stack, at.sp, at.sp + size))
		return special_outcome::stuck;
	const std::uintptr_t sp = word_at(at.sp + signal_sp);
	if (sp % 8 != 0 || !could_be_stack(sp))
		return special_outcome::stuck;
	if (!stack->holds(sp))
		stack = &known.cross(sp);
	else if (sp <= at.sp)
		return special_outcome::stuck;
	at = {word_at(at.sp + signal_pc), sp, place_at(at.sp + signal_fp), true,
	    false};
	return special_outcome::stepped;
}

special_outcome
leave_realigned(rule r, range &stack, position &at) noexcept
{
	const std::uintptr_t fp = *at.fp_at;
	if (fp < at.sp || !reaches(stack, fp - r.cfa(), fp + 8))
		return special_outcome::stuck;
	const std::uintptr_t cfa = word_at(fp - r.cfa());
	if (cfa <= at.sp || !reaches(stack, ra_slot(r, cfa), cfa))
		return special_outcome::stuck;
	const std::uintptr_t pc = strip(word_at(ra_slot(r, cfa)));
	if (pc == 0)
		return special_outcome::stuck;
	at = {pc, cfa, place_at(fp), false, false};
	return special_outcome::stepped;
}

// If nothing but the removal of the frame and the return follows the address,
// as in CPython's perf trampolines, the caller is not guessed.  A frame pointer
// is popped last.
bool
leave_straight(memory &words, const registers &now, range &stack, position &at)
    noexcept
{
	registers caller;
	if (now.exact || in_module(now.pc()) || !behind_call(words, now.pc()) ||
	    !leave_returning(words, now, caller) || caller.pc() == 0 ||
	    !reaches(stack, at.sp, caller.sp()))
		return false;
	const std::uintptr_t last = caller.sp() - 2 * word_size;
	const bool pops = caller.fp() != now.fp();
	if (pops && (last < at.sp || word_at(last) != caller.fp()))
		return false;
	at = {caller.pc(), caller.sp(), pops ? place_at(last) : at.fp_at,
	    false, false};
	return true;
}

special_outcome
leave_unknown(range &stack, position &at) noexcept
{
	registers now;
	own_memory words;
	now.set(register_pc, at.pc);
	now.set(register_sp, at.sp);
	now.set(register_fp, *at.fp_at);
	now.exact = at.exact;
	const std::uintptr_t fp = now.fp();
	if (leave_straight(words, now, stack, at))
		return special_outcome::stepped;
	if (!guess_caller(words, now, in_module(now.pc()), row_here) ||
	    !reaches(stack, now.sp() - 8, now.sp()))
		return special_outcome::no_info;
	count(counter::guesses);
	// fp is in the frame that it pointed to, or has not changed at all.
	at = {now.pc(), now.sp(), now.fp() == fp ? at.fp_at : place_at(fp),
	    false, true};
	return special_outcome::stepped;
}

// Returns true if a stack begins here, where the C library does not describe
// the functions that programs and threads begin in.
bool
is_root_of_libc(const position &at) noexcept
{
	if (start_is_described || at.exact || !in_module(at.pc))
		return false;
	own_memory words;
	const std::uintptr_t entry = program_entry();
	return is_outermost(words, at.pc, at.sp, [entry](std::uintptr_t pc) {
		return is_behind_entry(pc, entry);
	});
}

} // namespace

[[gnu::noinline]] special_outcome
step_special(rule r, stacks &known, range *&stack, position &at) noexcept
{
	switch (r.kind()) {
	case kind::end:
		return special_outcome::end;
	case kind::signal:
		return leave_signal(known, stack, at);
	case kind::realigned:
		return leave_realigned(r, *stack, at);
	case kind::absent:
		if (is_root_of_libc(at))
			return special_outcome::end;
		// The caller may be in a register that a position lacks.
		if (at.exact && !calls_push)
			return special_outcome::stuck;
		return r.cfa() != 0 && !at.exact ? special_outcome::no_info :
		    leave_unknown(*stack, at);
	default:
		return special_outcome::stuck;
	}
}

} // namespace stack9::unwind
