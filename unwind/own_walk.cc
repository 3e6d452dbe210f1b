// Walks by the memo and by the table of rules in turns.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "own_walk.h"

#include <algorithm>

#include "arch/cpu.h"
#include "generation.h"
#include "memo_cursor.h"
#include "replay_memo.h"
#include "table.h"

namespace stack9::unwind {
namespace {

constexpr remembered beyond = remembered::sentinel();

[[gnu::noinline]] looked_up
look_further(std::uint16_t generation, const rule_table::entry *from,
    std::uintptr_t lookup) noexcept
{
	const looked_up found = look_up(generation, lookup);
	if (from != nullptr && found.where != nullptr)
		rules.follow(*from, *found.where);
	return found;
}

// Finds the rule that follows the one in from: by from's guess, or if that
// fails, by the address.
[[gnu::always_inline]] inline looked_up
follow(std::uint64_t tag, const rule_table::entry *from, std::uintptr_t lookup)
    noexcept
{
	if (from != nullptr && rule_table::can_hold(lookup)) [[likely]] {
		rule r;
		const rule_table::entry *e = &rules.behind(*from);
		if (e->get(tag | lookup, r))
			return {r, e};
		e = &rules.first(lookup + 1);
		if (e->get(tag | lookup, r)) [[likely]] {
			rules.follow(*from, *e);
			return {r, e};
		}
	}
	return look_further(static_cast<std::uint16_t>(tag >> 48), from,
	    lookup);
}

} // namespace

// Called when the walk is back at a frame of the memo.  The frames found on the
// way replace the memo's, up to this frame.  Another step may have reached it.
void
own_walk::meet(std::uint32_t at) noexcept
{
	const std::uintptr_t *const old = last->frames()[at].fp_at();
	for (std::uint32_t i = at + 1; old != now.fp_at && i < last->end &&
	    last->frames()[i].fp_at() == old; i++)
		last->frames()[i].fp_is_at(now.fp_at);
	if (!last->replace(kept, at + 1, fresh)) {
		last->frames()[at].fp_is_at(now.fp_at);
		writing = false;
		lost = true;
	}
	fresh = 0;
	kept = at + 1;
}

// Frames of other stacks are not remembered, because such a stack may be gone
// the next time.
const remembered *
own_walk::end_of(const remembered *put) const noexcept
{
	return writing && !gapped && stack == on ? last->behind() :
	    put;
}

// Called when a frame could not be recorded.  If inner frames were, the memo
// now has a hole and must not be used past it.
[[gnu::noinline]] void
own_walk::gap(const remembered *put) noexcept
{
	gapped |= writing && (put != last->fresh() || kept != last->start);
}

// Everything that changes from frame to frame is in locals whose addresses are
// not taken: through memory each frame would wait for the one before.
template <bool remembering>
[[gnu::noinline]] stop
own_walk::by_rules() noexcept
{
	const std::uint64_t tag = std::uint64_t{generation} << 48;
	const remembered *const sentinel =
	    last != nullptr ? last->sentinel() : &beyond;
	memo_cursor memo_at(last != nullptr ? last->frames() + kept : &beyond);
	remembered *put = writing ? last->fresh() + fresh : nullptr;
	const remembered *put_end = end_of(put);
	looked_up e = look_up(generation, now.lookup());
	std::uintptr_t pc = now.pc, sp = now.sp;
	std::uintptr_t exact_sp = now.exact ? sp : 0;
	const std::uintptr_t *fp_at = now.fp_at;
	std::uintptr_t *out = n < max ? pcs + n : nullptr;
	std::uint32_t left = n < max ? max - n : limit - n;
	// The walk comes back into the memo after a few frames or after many.
	// Searching at each frame would cost more than the frames that are
	// walked in vain.
	const std::uint32_t always = left - std::min(left, 4u);
	stop how = stop::limit;
	for (; left != 0; left--) {
		std::uintptr_t cfa = sp + e.what.cfa(), raw;
		bool plain = e.what.kind() == kind::sp;
		if (!plain && e.what.kind() == kind::fp) {
			cfa = *fp_at + e.what.cfa();
			plain = cfa > sp && cfa % 8 == 0 &&
			    e.what.saved() <= cfa - sp;
		}
		if (cfa > stack->high && plain) [[unlikely]]
			plain = grow(*stack, cfa);
		if (plain) [[likely]] {
			const std::uintptr_t slot = ra_slot(e.what, cfa);
			raw = *reinterpret_cast<const std::uintptr_t *>(slot);
			pc = strip(raw);
			sp = cfa;
			if (pc == 0) [[unlikely]] {
				how = stop_of_zero(e.what, cfa, fp_at);
				break;
			}
			if (e.what.saved() != 0)
				fp_at =
				    reinterpret_cast<const std::uintptr_t *>(
				    fp_slot(e.what, cfa));
			if (!remembering) {
				// There is no memo to write or to search.
			} else if (put != put_end) {
				put->step(slot, raw, sp, fp_at);
				if (e.what.kind() == kind::fp)
					put->was_by_fp(e.what.cfa());
				put++;
			} else {
				gap(put);
				memo_at.give_up(sentinel);
			}
			e = follow(tag, e.where, pc - 1);
		} else {
			position at{pc, sp, fp_at, sp == exact_sp, false};
			how = special(e.what, at);
			if (how != stop::met)
				break;
			how = stop::limit;
			pc = at.pc;
			sp = at.sp;
			fp_at = at.fp_at;
			exact_sp = at.exact ? sp : 0;
			raw = at.exact ? 0 : pc;
			put_end = end_of(put);
			if (remembering && put != put_end && !gapped) {
				if (at.exact)
					(put++)->interrupted(pc, sp, fp_at);
				else
					(put++)->mark(raw, sp, fp_at);
				memo_at = memo_cursor(last->frames() + kept);
			} else if (remembering) {
				gap(put);
				memo_at.give_up(sentinel);
			}
			if (at.exact)
				memo_at.cross_signal(sentinel);
			e = look_up(generation, at.lookup());
		}
		if (out != nullptr)
			*out++ = pc;
		if (remembering && (left % 4 == 0 || left > always) &&
		    memo_at.meets(sp, raw)) {
			how = stop::met;
			left--;
			break;
		}
	}
	n = (out != nullptr ? max : limit) - left;
	if (writing)
		fresh = static_cast<std::uint32_t>(put - last->fresh());
	now = {pc, sp, fp_at, sp == exact_sp, false};
	if (how == stop::met)
		meet(static_cast<std::uint32_t>(memo_at.at() - last->frames()));
	return how;
}

// Makes a step that is not by sp or fp alone.  met: it was made.
[[gnu::noinline]] stop
own_walk::special(rule r, position &at) noexcept
{
	switch (step_special(r, *known, stack, at)) {
	case special_outcome::end:
		return stop::outermost;
	case special_outcome::no_info:
		return stop::no_info;
	case special_outcome::stuck:
		return stop::stuck;
	case special_outcome::stepped:
		break;
	}
	guessed |= at.guessed;
	return stop::met;
}

// True: the innermost frame is also the memo's innermost frame.
inline bool
own_walk::begin() noexcept
{
	stack = now.exact ? &known->cross(now.sp) : &known->enter(now.sp);
	pcs[n++] = now.pc;
	if (last == nullptr)
		return false;
	if (last->generation != generation) {
		last->forget();
		last->generation = generation;
	}
	writing = last->writes();
	kept = last->start;
	if (!now.exact && last->begins_at(now.pc, now.sp, now.fp_at)) {
		kept++;
		return true;
	}
	if (writing && stack == on) {
		if (!last->has_space())
			last->forget();
		last->fresh()[fresh++].mark(now.exact ? 0 : now.pc, now.sp,
		    now.fp_at);
		kept = last->start;
	}
	return false;
}

// Replays the memo from kept on.  met: the walk goes on by rules.
inline stop
own_walk::by_memo() noexcept
{
	const passed w = replay_memo(last->frames() + kept,
	    last->frames() + last->end, pcs, n, max, limit);
	kept = static_cast<std::uint32_t>(w.to - last->frames());
	n = w.n;
	if (n == limit)
		return stop::limit;
	if (kept == last->end && last->whole)
		return stop::outermost;
	const remembered &p = last->frames()[kept - 1];
	now = {strip(p.raw), p.sp(), p.fp_at(), p.by_signal(), false};
	return stop::met;
}

stop
own_walk::run() noexcept
{
	bool passing = begin(), walked = false;
	std::uint32_t passed = 0;
	for (;;) {
		const std::uint32_t before = n;
		stop how = passing ? by_memo() : stop::met;
		passed += n - before;
		if (how == stop::met) {
			do
				how = writing ? by_rules<true>() :
				    by_rules<false>();
			while (how == stop::limit && n < limit);
			walked = how != stop::met;
		}
		passing = how == stop::met;
		if (!passing) {
			end(how, walked, passed);
			return how;
		}
	}
}

// Makes the memo what this walk has seen, unless the walk replayed it to the
// end and has nothing to add.  If only a few frames were found again, those
// around main(), writing all the others is not worth its cost.
void
own_walk::end(stop how, bool walked, std::uint32_t passed) noexcept
{
	if (last == nullptr)
		return;
	last->reused(passed >= n / 4);
	if (lost)
		last->forget();
	else if (writing && walked)
		last->finish(kept, fresh, how == stop::outermost && !gapped);
}

} // namespace stack9::unwind
