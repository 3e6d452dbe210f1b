// Finds out whether a thread has slept on since it was looked at.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <sys/types.h>

namespace stack9 {

// switches: how often the thread had left its CPU when it was found asleep; 0:
// this is not known.  False, too: it cannot be found out.
bool sleeps_still(pid_t tid, std::uint64_t switches) noexcept;

} // namespace stack9
