// Finds threads by tid.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9.h>

#include "os/thread_stat.h"

namespace stack9 {

// Finds the thread that has this tid now, dead or alive.  All facts are of
// one thread, even if the tid passes to another one in between.
// 0; EINVAL; ESRCH; EMFILE and the like.
int find_thread(pid_t tid, stack9_thread &id, thread_stat &stat) noexcept;

// Tells whether the calling thread has this tid, without a system call if it
// has not.  A child of vfork(2) or of a bare clone(2), which runs as its parent
// did, hears no for its own tid; a yes is always true.  Async-signal-safe.
bool is_calling_thread(pid_t tid) noexcept;

} // namespace stack9
