// Reads clocks in nanoseconds.  Async-signal-safe.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <time.h>

namespace stack9 {

inline std::int64_t
clock_ns(clockid_t clock) noexcept
{
	timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec * std::int64_t{1000000000} + t.tv_nsec;
}

inline std::int64_t
monotonic_ns() noexcept
{
	return clock_ns(CLOCK_MONOTONIC);
}

// CLOCK_BOOTTIME: stack9_record.when_ns is in it.
inline std::uint64_t
boot_ns() noexcept
{
	return static_cast<std::uint64_t>(clock_ns(CLOCK_BOOTTIME));
}

} // namespace stack9
