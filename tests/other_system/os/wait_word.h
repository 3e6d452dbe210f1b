// Waits for a word by giving the CPU to others: this system wakes nobody.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sched.h>

namespace stack9 {

inline void
wait_on_word(const int &, int) noexcept
{
	sched_yield();
}

inline void
wake_waiters(const int &) noexcept
{
}

} // namespace stack9
