// One thread, traced: the calls.
//
// Whether a thread has stopped is asked of ptrace(2) and not of wait(2): a wait
// of another thread of the program may have taken the news.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

namespace stack9::tracing {

// 0; ESRCH; EPERM: not allowed, traced by another, a zombie, a kernel thread.
// Nothing stops yet.
int seize(pid_t tid) noexcept;
// It will stop, asleep or not, but in states that no signal ends.
int interrupt(pid_t tid) noexcept;

enum class posture {
	moving,
	stopped,
	gone,
};
// signal: what it was about to take when it stopped, or 0.
posture look(pid_t tid, int &signal) noexcept;

// It goes on as if nothing had been; if the program as a whole is stopped, it
// stays so.
void let_go(pid_t tid, int signal) noexcept;

// Takes the end of a dead tracee that is no process, so that an execve(2) which
// waits for that can go on.
void bury(pid_t tid) noexcept;

} // namespace stack9::tracing
