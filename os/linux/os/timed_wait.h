// Sleeps for a limited time until another thread of this process changes a
// word, and wakes one of those who do, by futex(2).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <climits>
#include <cstdint>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clocks.h"

namespace stack9 {

// The end of a wait that begins now.
inline std::uint64_t
end_after(std::uint64_t ns) noexcept
{
	return static_cast<std::uint64_t>(monotonic_ns()) + ns;
}

// Sleeps if the word is still what the caller has seen, until somebody wakes it
// or until_ns, an end_after() (0: for ever).  0: woken, or the word was
// another; EINTR: a signal came; ETIMEDOUT.  May change errno.
inline int
wait_until(const int &word, int seen, std::uint64_t until_ns) noexcept
{
	const timespec at{static_cast<time_t>(until_ns / 1000000000),
	    static_cast<long>(until_ns % 1000000000)};
	const long result = syscall(SYS_futex, &word,
	    FUTEX_WAIT_BITSET_PRIVATE, seen, until_ns != 0 ? &at : nullptr,
	    nullptr, FUTEX_BITSET_MATCH_ANY);
	return result == 0 || errno == EAGAIN ? 0 : errno;
}

// Wakes one, or all, who wait on the word.
inline void
wake_some(const int &word, bool all) noexcept
{
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, all ? INT_MAX : 1,
	    nullptr, nullptr, 0);
}

} // namespace stack9
