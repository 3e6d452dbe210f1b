// Decides whether a pass over a process has shown all of its threads.
//
// The kernel finds the next thread of a process by the one that it is at.  If
// that one has died meanwhile, the pass ends as if there were no more
// (task_group_seq_get_next() in kernel/bpf/task_iter.c, Linux 6.1 to 6.18).  A
// pass over all threads of the machine finds the next one by its number and
// ends at no dead one, so it shows the others.
//
// Rejected: asking whether the last thread that was shown still lives.  The one
// that died may not have been shown.  Rejected: comparing with /proc/PID/task.
// That takes a third of the time of the pass itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/delivered_threads.h"

namespace stack9::bpf {

class shown_threads {
public:
	// False: the pass before has shown it.
	bool
	add(pid_t tid, bool is_newest) noexcept
	{
		any_ = true;
		complete_ |= is_newest;
		return reported_.add(tid);
	}

	bool are_any() const noexcept { return any_; }

	// True if threads may be missing that lived when the pass began.  Those
	// that the newest of that time follows have all been visited.
	bool may_lack_some() const noexcept { return any_ && !complete_; }

	// Begins the pass over the machine.  False: there was no memory.
	bool begin_next() noexcept { return reported_.begin_next(); }

private:
	delivered_threads	reported_;
	bool			any_ = false;
	bool			complete_ = false;
};

} // namespace stack9::bpf
