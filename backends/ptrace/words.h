// The one way to refuse.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9.h>

namespace stack9::tracing {

inline int
say(stack9_record &rec, int error, stack9_why why, const char *reason) noexcept
{
	rec.why = why;
	rec.reason = reason;
	return error;
}

} // namespace stack9::tracing
