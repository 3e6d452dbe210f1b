// Sleeps until another thread of this process changes a word, by futex(2).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <climits>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace stack9 {

// Sleeps if the word is still what the caller has seen, until wake_waiters().
// It may return before that, and change errno.
inline void
wait_on_word(const int &word, int seen) noexcept
{
	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr,
	    0);
}

// Wakes all who wait on the word.
inline void
wake_waiters(const int &word) noexcept
{
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr,
	    nullptr, 0);
}

} // namespace stack9
