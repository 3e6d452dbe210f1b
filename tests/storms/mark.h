// Says which mark a thread carries in its stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <sys/types.h>

inline constexpr int mark_bits = 20;

// Twelve bits of the tid and eight of the start: two threads that have one tid
// one after the other have different marks, unless they start in the same tick.
inline std::uint32_t
mark_of(pid_t tid, std::uint64_t start)
{
	return static_cast<std::uint32_t>((start & 0xff) << 12 |
	    (static_cast<std::uint32_t>(tid) & 0xfff));
}
