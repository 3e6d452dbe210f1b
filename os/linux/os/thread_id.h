// Finds the calling thread's tid, and whether a thread of this process has
// ended.  Async-signal-safe.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace stack9 {

// No tid is as large as this one's power of two (PID_MAX_LIMIT of the kernel).
inline constexpr unsigned int tid_bits = 22;

// By the system call itself: glibc has a name for it from 2.30 on.
inline pid_t
thread_id() noexcept
{
	return static_cast<pid_t>(syscall(SYS_gettid));
}

inline bool
is_first_thread() noexcept
{
	return thread_id() == getpid();
}

// May change errno.
inline bool
has_ended(pid_t tid) noexcept
{
	return syscall(SYS_tgkill, getpid(), tid, 0) != 0 && errno == ESRCH;
}

} // namespace stack9
