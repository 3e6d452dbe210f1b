// Fills a record from the walk of a copied stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "walk.h"

#include "core/seam/ending.h"

namespace stack9::remote {

void
describe(const unwind::walked &w, bool outermost, stack9_record &rec) noexcept
{
	const bool whole = outermost && w.how == unwind::outcome::no_info;
	const ending end = ending_of(whole ? unwind::outcome::end : w.how);
	rec.depth = w.depth;
	rec.dropped = w.dropped;
	rec.flags = (rec.flags & ~STACK9_FRAME_POINTER) |
	    STACK9_EXACT_FIRST | (w.guessed ? STACK9_FRAME_POINTER : 0);
	rec.why = end.why;
	rec.reason = end.reason;
}

} // namespace stack9::remote
