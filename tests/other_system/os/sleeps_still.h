// Says that this system does not report who sleeps on.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <sys/types.h>

namespace stack9 {

inline bool
sleeps_still(pid_t, std::uint64_t) noexcept
{
	return false;
}

} // namespace stack9
