// Walks by the table of rules, some frames at a time.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "steps.h"

#include "arch/cpu.h"
#include "generation.h"
#include "table.h"
#include "use_of_state.h"

namespace stack9::unwind {
namespace {

// Changes a position to its caller's, if the rule is a plain one and the memory
// can be read.
[[gnu::always_inline]] inline bool
step_plain(rule r, range &stack, position &at) noexcept
{
	std::uintptr_t cfa = at.sp + r.cfa();
	if (r.kind() == kind::fp) {
		cfa = *at.fp_at + r.cfa();
		if (cfa <= at.sp || cfa % 8 != 0 || r.saved() > cfa - at.sp)
			return false;
	} else if (r.kind() != kind::sp)
		return false;
	if (cfa > stack.high && !grow(stack, cfa)) [[unlikely]]
		return false;
	at.pc = strip(*reinterpret_cast<const std::uintptr_t *>(
	    ra_slot(r, cfa)));
	at.sp = cfa;
	at.exact = false;
	if (r.saved() != 0)
		at.fp_at = reinterpret_cast<const std::uintptr_t *>(
		    fp_slot(r, cfa));
	return true;
}

stop
stop_of(special_outcome how) noexcept
{
	switch (how) {
	case special_outcome::end:
		return stop::outermost;
	case special_outcome::no_info:
		return stop::no_info;
	case special_outcome::stuck:
		return stop::stuck;
	case special_outcome::stepped:
		break;
	}
	return stop::limit;
}

} // namespace

bool
is_signal_frame(std::uintptr_t pc) noexcept
{
	return look_up(code_generation.now(), pc - 1).what.kind() ==
	    kind::signal;
}

std::uint32_t
own_steps::walk(stacks &known, stepped_frame *to, std::uint32_t max) noexcept
{
	const std::uint16_t generation = code_generation.now();
	range *stack = crossed_ ? &known.cross(sp_) : &known.enter(sp_);
	const std::uintptr_t fp = fp_;
	position at{pc_, sp_, &fp, exact_, false};
	std::uint32_t n = 0;
	while (n < max && how_ == stop::limit) {
		to[n++] = {at.pc, at.sp, at.exact};
		const rule r = look_up(generation, at.lookup()).what;
		crossed_ |= r.kind() == kind::signal;
		if (!step_plain(r, *stack, at)) [[unlikely]]
			how_ = stop_of(step_special(r, known, stack, at));
		if (how_ == stop::limit && at.pc == 0) [[unlikely]]
			how_ = stop::zero;
	}
	pc_ = at.pc;
	sp_ = at.sp;
	fp_ = *at.fp_at;
	exact_ = at.exact;
	return n;
}

std::uint32_t
own_steps::take(stepped_frame *to, std::uint32_t max) noexcept
{
	if (how_ != stop::limit)
		return 0;
	std::uintptr_t token;
	const use_of_state use(thread_state::mine(), token);
	if (use.get() != nullptr)
		return walk(use.get()->known, to, max);
	stacks anew;
	return walk(anew, to, max);
}

} // namespace stack9::unwind
