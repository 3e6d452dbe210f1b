// Asks the routes of a job for one stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "record.h"
#include "route.h"

namespace stack9 {

// Asks the routes of a job by save(route); refuses(error) says whether a
// further route may have an answer.
template <job J, class Save, class Refuses>
int
by_routes(const stack9_thread &td, stack9_side side, stack_record &rec,
    Save save, Refuses refuses) noexcept
{
	return first_answer<J>(rec, [&](interface_of<J> &r) {
		reset(rec, td, side);
		if (const verdict v = r.can(); v.error != 0)
			return answer::refused(v);
		rec.route = r.name;
		const int error = save(r);
		return !refuses(error) ? answer::is(error) : answer::refused(
		    error == EAGAIN ? EOPNOTSUPP : error, rec.reason);
	});
}

} // namespace stack9
