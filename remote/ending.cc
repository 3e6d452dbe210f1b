// See ending.h.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "ending.h"

namespace stack9::process {
namespace {

using unwind::outcome;

void
tell(stack9_record &rec, stack9_why why, const char *reason) noexcept
{
	rec.why = why;
	rec.reason = reason;
}

} // namespace

void
describe(const unwind::walked &w, bool outermost, stack9_record &rec) noexcept
{
	rec.depth = w.depth;
	rec.dropped = w.dropped;
	rec.flags = (rec.flags & ~STACK9_FRAME_POINTER) |
	    STACK9_EXACT_FIRST | (w.guessed ? STACK9_FRAME_POINTER : 0);
	switch (w.how) {
	case outcome::end:
	case outcome::zero:
		return tell(rec, STACK9_WHY_NONE, nullptr);
	case outcome::stepped:	// of no walk
	case outcome::limit:
		return tell(rec, STACK9_WHY_TRUNCATED,
		    "there was no room for its outer frames");
	case outcome::no_info:
		if (outermost)
			return tell(rec, STACK9_WHY_NONE, nullptr);
		return tell(rec, STACK9_WHY_UNWIND,
		    "no unwind information covers the last frame, and its "
		    "frame pointer leads nowhere");
	case outcome::no_register:
		return tell(rec, STACK9_WHY_REGISTERS,
		    "the caller of the last frame is found by registers that "
		    "are not known");
	case outcome::no_memory:
		return tell(rec, STACK9_WHY_MEMORY,
		    "the stack of the last frame could not be read");
	case outcome::malformed:
		return tell(rec, STACK9_WHY_UNWIND,
		    "the unwind information of the last frame contradicts "
		    "itself or the stack");
	}
}

} // namespace stack9::process
