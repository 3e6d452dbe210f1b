// Reads clocks in nanoseconds.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <time.h>

namespace tools {

inline std::uint64_t
clock_ns(clockid_t which)
{
	timespec t{};
	clock_gettime(which, &t);
	return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 +
	    static_cast<std::uint64_t>(t.tv_nsec);
}

} // namespace tools
