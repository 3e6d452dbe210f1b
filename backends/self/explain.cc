// Fills a record from the walk of a stack of this process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "routes.h"

#include <algorithm>
#include <cstdint>

#include "core/seam/stop_reason.h"

namespace stack9::self {

void
explain(const unwind::walked &w, stack_record &rec) noexcept
{
	using unwind::outcome;
	const bool cut = w.dropped > 0 || w.how == outcome::limit;
	const stop_reason end = stop_reason_of(cut ? outcome::limit : w.how);
	rec.depth = w.depth;
	rec.dropped = cut ? std::max(w.dropped, std::uint32_t{1}) : 0;
	rec.flags &= ~static_cast<unsigned int>(STACK9_STACK_GUESSED);
	if (w.guessed)
		rec.flags |= STACK9_STACK_GUESSED;
	rec.why = end.why;
	rec.reason = end.reason;
}

} // namespace stack9::self
