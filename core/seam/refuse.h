// Writes a refusal into a record.  Backends may use it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>

#include "record.h"

namespace stack9 {

inline int
refuse(stack_record &rec, int error, stack9_why why, const char *reason)
    noexcept
{
	rec.depth = rec.dropped = 0;
	rec.why = why;
	rec.reason = reason;
	return error;
}

// Refuses a dead thread.  state is as in /proc/TID/stat.  0: it is alive.
inline int
refuse_dead(stack_record &rec, char state) noexcept
{
	if (state == 'Z')
		return refuse(rec, ESRCH, STACK9_WHY_ZOMBIE, nullptr);
	if (state == 'X' || state == 'x')
		return refuse(rec, ESRCH, STACK9_WHY_GONE, nullptr);
	return 0;
}

} // namespace stack9
