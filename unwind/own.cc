// Walks the calling thread's own stack.  It chooses the memo that the walk may
// use, and goes on by rows if a rule cannot say a step.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "walk.h"

#include <algorithm>

#include "begin.h"
#include "counts.h"
#include "generation.h"
#include "own_walk.h"
#include "replay_memo.h"
#include "table.h"
#include "use_of_state.h"

namespace stack9::unwind {
namespace {

// Returns true if a walk that came to a return address of 0 has come to where
// its stack may begin.  The frame pointer that a coroutine begins with may be
// anything, but switch_stack() has given the end of its stack.
[[gnu::noinline]] bool
may_begin(const own_walk &w, stop how) noexcept
{
	if (how == stop::strayed && w.stack != &w.known->switched())
		return false;
	return w.stack->closed ? is_at_end(w.now.sp, w.stack->high) :
	    ends_above(w.now.sp);
}

// Walks while the stacks that are known live.
stop
run_to_end(own_walk &w) noexcept
{
	const stop how = w.run();
	const bool is_zero = how == stop::zero || how == stop::strayed;
	return is_zero && may_begin(w, how) ? stop::outermost : how;
}

outcome
outcome_of(stop how) noexcept
{
	switch (how) {
	case stop::outermost:
		return outcome::end;
	case stop::zero:
	case stop::strayed:
		return outcome::zero;
	case stop::no_info:
		return outcome::no_info;
	default:
		return outcome::limit;
	}
}

walked
result(const own_walk &w, stop how) noexcept
{
	walked r;
	r.depth = std::min(w.n, w.max);
	r.dropped = w.n - r.depth;
	r.how = outcome_of(how);
	r.guessed = w.guessed;
	return r;
}

void
count_stuck(const own_walk &w) noexcept
{
	const rule r = look_up(w.generation, w.now.lookup()).what;
	count(r.kind() == kind::absent ? counter::absent :
	    counter_of(r.kind() == kind::full ? r.cause() : cause::malformed));
}

// Walks without the thread's memo: there is none, or a capture is using it that
// a signal interrupted.
[[gnu::noinline]] stop
run_without(own_walk &w, const frame &first) noexcept
{
	stacks known;
	std::uintptr_t fp = first.fp;
	w.known = &known;
	w.now.fp_at = &fp;
	w.last = nullptr;
	return run_to_end(w);
}

std::uint64_t
spare_key(const stacks &known, const frame &first) noexcept
{
	return known.is_switched_to(first.sp) ?
	    spare_memos::key_of_stack(known.switched()) :
	    spare_memos::key_of_path(first.pc, first.sp);
}

// A stack that switch_stack() has given has a memo of its own.  So has each
// path while the one memo of the thread is of no use.
memo *
memo_for(thread_state &state, const frame &first) noexcept
{
	const stacks &known = state.known;
	memo *spare = nullptr;
	if (known.is_switched_to(first.sp)) {
		spare = state.spares.give(spare_key(known, first),
		    known.switched());
	} else if (!state.last.writes() && known.home().holds(first.sp)) {
		spare = state.spares.give(spare_key(known, first), {});
		if (spare != nullptr)
			state.last.reused(false);
	}
	return spare != nullptr ? spare : &state.last;
}

stop
run_with(own_walk &w, const frame &first, thread_state &state) noexcept
{
	state.entry_fp = first.fp;
	w.known = &state.known;
	w.now.fp_at = &state.entry_fp;
	w.last = memo_for(state, first);
	w.on = w.last->on == range{} ? &state.known.home() :
	    &state.known.switched();
	return run_to_end(w);
}

// all: the registers at the point where a signal came; nullptr: first is a
// return address, and the registers are those of this thread, further in.
[[gnu::noinline]] walked
walk_anew(thread_state *state, const frame &first, const registers *all,
    std::uintptr_t *pcs, std::uint32_t max, counting c) noexcept
{
	own_walk w;
	w.pcs = pcs;
	w.max = max;
	w.limit = c == counting::yes ? std::max(max, frames_max) : max;
	w.now = {first.pc, first.sp, nullptr, all != nullptr, false};
	w.generation = code_generation.now();
	const stop how = state != nullptr ? run_with(w, first, *state) :
	    run_without(w, first);
	if (how == stop::no_info)
		count(counter::absent);
	if (how != stop::stuck) [[likely]]
		return result(w, how);
	count_stuck(w);
	walked rows = all != nullptr ? walk_rows(*all, pcs, max, c) :
	    walk_rows_from(first, pcs, max, c);
	if (rows.how == outcome::strayed && state != nullptr &&
	    state->known.is_switched_to(first.sp))
		rows.how = outcome::end;
	return rows;
}

// Gives a memo's frames again, to the outermost one or as many as pcs holds.
// A depth of 0: some of them have changed.
[[gnu::always_inline]] inline quick_walk
walk_again(thread_state &state, const memo &last, const frame &first,
    std::uintptr_t *pcs, std::uint32_t max) noexcept
{
	if (last.generation != code_generation.now()) [[unlikely]]
		return {0, 0};
	const remembered *const end = last.frames() + last.end;
	state.entry_fp = first.fp;
	pcs[0] = first.pc;
	const passed p = replay_memo(last.frames() + last.start + 1,
	    end, pcs, 1, max, max);
	const bool whole = p.to == end && last.whole;
	return {whole || p.n == max ? p.n : 0, whole};
}

// The result is in registers: a reference to a bool costs a nanosecond.
[[gnu::noinline]] quick_walk
walk_spare_again(thread_state &state, const frame &first, std::uintptr_t *pcs,
    std::uint32_t max) noexcept
{
	const memo *const spare = state.spares.of(spare_key(state.known,
	    first));
	const range on = state.known.is_switched_to(first.sp) ?
	    state.known.switched() :
	    range{};
	if (spare == nullptr || spare->on != on ||
	    !spare->begins_at(first.pc, first.sp, &state.entry_fp))
		return {0, 0};
	const quick_walk w = walk_again(state, *spare, first, pcs, max);
	if (w.depth != 0)
		state.spares.found();
	return w;
}

// Gives the frames of the last capture, or of the last one that began there.
[[gnu::always_inline]] inline quick_walk
walk_again(thread_state *state, const frame &first, std::uintptr_t *pcs,
    std::uint32_t max) noexcept
{
	if (state == nullptr) [[unlikely]]
		return {0, 0};
	if (state->last.begins_at(first.pc, first.sp, &state->entry_fp))
	    [[likely]]
		return walk_again(*state, state->last, first, pcs, max);
	return !state->spares.has_any() ? quick_walk{0, 0} :
	    walk_spare_again(*state, frame(first), pcs, max);
}

} // namespace

stop
stop_of_zero(rule r, std::uintptr_t cfa, const std::uintptr_t *fp_at) noexcept
{
	if (r.saved() != 0)
		fp_at = reinterpret_cast<std::uintptr_t *>(fp_slot(r, cfa));
	return outcome_of_zero(r.kind() == kind::fp, *fp_at) == outcome::zero ?
	    stop::zero : stop::strayed;
}

walked
walk_own(const frame &first, std::uintptr_t *pcs, std::uint32_t max, counting c)
    noexcept
{
	std::uintptr_t token;
	const use_of_state use(thread_state::mine(), token);
	const quick_walk again = walk_again(use.get(), first, pcs, max);
	if (again.depth == 0 || !(again.whole || c == counting::no))
		return walk_anew(use.get(), first, nullptr, pcs, max, c);
	return {again.depth, 0, again.whole ? outcome::end : outcome::limit,
	    false};
}

quick_walk
walk_own(std::uintptr_t pc, std::uintptr_t sp, std::uintptr_t fp,
    std::uintptr_t *pcs, std::uint32_t max) noexcept
{
	// Only copies of it are handed on, so that it stays in registers.
	const frame first{pc, sp, fp};
	std::uintptr_t token;
	const use_of_state use(thread_state::mine(), token);
	const quick_walk again = walk_again(use.get(), first, pcs, max);
	if (again.depth != 0) [[likely]]
		return again;
	const walked w = walk_anew(use.get(), frame(first), nullptr, pcs, max,
	    counting::no);
	return {w.depth, w.how == outcome::end && w.dropped == 0 && !w.guessed};
}

void
switch_stack(std::uintptr_t low, std::uintptr_t high) noexcept
{
	if (this_thread.state != nullptr)
		this_thread.state->known.switch_to(low, high);
}

walked
walk_interrupted(const ucontext_t &uc, std::uintptr_t *pcs, std::uint32_t max)
    noexcept
{
	std::uintptr_t token;
	const use_of_state use(thread_state::mine(), token);
	registers all;
	for (int r = 0; r < register_count; r++)
		all.set(r, register_of(uc, r));
	all.exact = true;
	if (use.get() != nullptr)	// the handler's stack is mostly home
		use.get()->known.enter(reinterpret_cast<std::uintptr_t>(
		    __builtin_frame_address(0)));
	return could_be_stack(all.sp()) ? walk_anew(use.get(), {all.pc(),
	    all.sp(), all.fp()}, &all, pcs, max, counting::yes) :
	    walk_rows(all, pcs, max, counting::yes);
}

} // namespace stack9::unwind
