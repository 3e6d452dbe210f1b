// Lets a test change a thread, its memory or its mappings between the first
// reading and the second; their comparison decides whether both are of one
// moment.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <sys/types.h>

namespace stack9 {

// Nobody but a test that is linked with the objects of the library sets it.  It
// is called before memory at an address is read that is compared with what was
// read before, and with address 0 before threads, mappings or tasks are read
// again.
using reading_fn = void(pid_t, std::uint64_t at);
inline constinit reading_fn *before_second_reading = nullptr;

inline void
announce_second_reading(pid_t pid, std::uint64_t at)
{
	if (before_second_reading != nullptr)
		before_second_reading(pid, at);
}

} // namespace stack9
