// Numbers threads as they ask, the first one by its process's pid: this system
// reports no tid.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>

#include <sys/types.h>
#include <unistd.h>

namespace stack9 {

inline constexpr unsigned int tid_bits = 22;

inline constinit std::atomic<pid_t> threads_numbered{0};
[[gnu::tls_model("initial-exec")]] inline constinit thread_local pid_t
    number_of_thread = 0;

// The first one to ask does so when the library is loaded.
inline pid_t
thread_id() noexcept
{
	if (number_of_thread == 0)
		number_of_thread = getpid() + threads_numbered.fetch_add(1);
	return number_of_thread;
}

inline bool
is_first_thread() noexcept
{
	return thread_id() == getpid();
}

// No call reports the end of a thread, so what it has stays its own.
inline bool
has_ended(pid_t) noexcept
{
	return false;
}

} // namespace stack9
