// refuse(), by a name that the members which refuse do not hide.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/refuse.h"

namespace stack9::tracing {

inline int
say(stack9_record &rec, int error, stack9_why why, const char *reason) noexcept
{
	return refuse(rec, error, why, reason);
}

} // namespace stack9::tracing
