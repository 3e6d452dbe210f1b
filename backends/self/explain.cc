// See explain.h.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "explain.h"

#include <algorithm>
#include <cstdint>

namespace stack9::self {
namespace {

void
say(stack9_record &rec, stack9_why why, const char *reason) noexcept
{
	rec.why = why;
	rec.reason = reason;
}

} // namespace

void
explain(const unwind::walked &w, stack9_record &rec) noexcept
{
	using unwind::outcome;
	rec.depth = w.depth;
	rec.dropped = w.dropped;
	rec.flags &= ~static_cast<unsigned int>(STACK9_FRAME_POINTER);
	if (w.guessed)
		rec.flags |= STACK9_FRAME_POINTER;
	switch (w.dropped > 0 ? outcome::limit : w.how) {
	case outcome::end:
	case outcome::zero:
		return say(rec, STACK9_WHY_NONE, nullptr);
	case outcome::stepped:	// of no walk
	case outcome::limit:
		rec.dropped = std::max(w.dropped, std::uint32_t{1});
		return say(rec, STACK9_WHY_TRUNCATED, nullptr);
	case outcome::no_info:
		return say(rec, STACK9_WHY_UNWIND,
		    "no unwind information covers the last frame");
	case outcome::no_register:
		return say(rec, STACK9_WHY_REGISTERS,
		    "the last frame's caller is found by a register that only "
		    "the running thread knows");
	case outcome::no_memory:
		return say(rec, STACK9_WHY_UNWIND,
		    "the stack goes on in memory that cannot be read");
	case outcome::malformed:
		return say(rec, STACK9_WHY_UNWIND, "the unwind information of "
		    "the last frame leads nowhere");
	}
}

} // namespace stack9::self
