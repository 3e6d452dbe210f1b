// Wraps the ptrace(2) calls on one thread.
//
// ptrace(2) says whether a thread has stopped.  Rejected: wait(2), because a
// wait of another thread of the program may have taken the report.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

namespace stack9::tracing {

// 0; ESRCH; EPERM: not allowed, traced by another, a zombie, a kernel thread.
// The thread does not stop yet.
int seize(pid_t tid) noexcept;
// Makes the thread stop, asleep or not, except in a sleep that no signal ends.
int interrupt(pid_t tid) noexcept;

enum class posture {
	moving,
	stopped,
	gone,
};
// signal: the signal that it was about to take when it stopped, or 0.
posture posture_of(pid_t tid, int &signal) noexcept;

// Lets the thread go on as if nothing had happened.  If the program as a whole
// is stopped, it stays stopped.
void detach(pid_t tid, int signal) noexcept;

// Reaps a dead tracee that is not a process, so that an execve(2) that waits
// for its end can go on.
void reap(pid_t tid) noexcept;

} // namespace stack9::tracing
