// Fills a record from the walk of a copied stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "walk.h"

#include "core/seam/stop_reason.h"

namespace stack9::remote {

void
describe(const unwind::walked &w, bool outermost, stack_record &rec) noexcept
{
	const bool whole = outermost && w.how == unwind::outcome::no_info;
	const stop_reason end = stop_reason_of(whole ? unwind::outcome::end :
	    w.how);
	rec.depth = w.depth;
	rec.dropped = w.dropped;
	rec.flags = (rec.flags & ~STACK9_STACK_GUESSED) |
	    STACK9_STACK_EXACT | (w.guessed ? STACK9_STACK_GUESSED : 0);
	rec.why = end.why;
	rec.reason = end.reason;
}

} // namespace stack9::remote
