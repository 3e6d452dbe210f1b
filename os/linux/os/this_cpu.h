// Finds the number of the CPU that the calling thread runs on.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sched.h>

namespace stack9 {

// -1: not known.
inline int
this_cpu() noexcept
{
	return sched_getcpu();
}

} // namespace stack9
