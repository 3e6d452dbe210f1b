// Waits for a word by giving the CPU to others, with a limit: this system wakes
// nobody.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstdint>

#include <sched.h>
#include <time.h>

namespace stack9 {

inline std::uint64_t
end_after(std::uint64_t ns) noexcept
{
	timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return static_cast<std::uint64_t>(t.tv_sec) * 1000000000 +
	    static_cast<std::uint64_t>(t.tv_nsec) + ns;
}

inline int
wait_until(const int &, int, std::uint64_t until_ns) noexcept
{
	sched_yield();
	return until_ns != 0 && end_after(0) >= until_ns ? ETIMEDOUT : 0;
}

inline void
wake_some(const int &, bool) noexcept
{
}

} // namespace stack9
