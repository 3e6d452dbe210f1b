// Finds threads by tid.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>

#include <stack9.h>

#include "os/thread_stat.h"
#include "os/threads.h"
#include "os/uncancelled.h"

namespace stack9 {

// Finds the thread that has this tid now, dead or alive.  All facts are of
// one thread, even if the tid passes to another one in between.
// 0; EINVAL; ESRCH; EMFILE and the like.
inline int
find_thread(pid_t tid, stack9_thread &id, thread_stat &stat) noexcept
{
	if (tid < 1)
		return EINVAL;
	const uncancelled guard;
	stack9_thread found{tid, 0, 0};
	thread_stat seen{};
	if (const int error = look_up_thread(tid, found.pid, seen); error != 0)
		return error;
	found.start = seen.start;
	id = found;
	stat = seen;
	return 0;
}

// Returns true if the calling thread has this tid, without a system call if it
// has not.  A child of vfork(2) or of a bare clone(2) runs as its parent did,
// so it gets false for its own tid; true is always right.  Async-signal-safe.
bool is_calling_thread(pid_t tid) noexcept;

} // namespace stack9
