// Reads the state of a thread and its switches of context.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "os/sleeps_still.h"

#include "os/posture.h"
#include "os/proc_task.h"

namespace stack9 {

bool
sleeps_still(pid_t tid, std::uint64_t switches) noexcept
{
	proc_task task;
	posture_reader reader;
	thread_status now;
	return switches != 0 && task.open(tid) == 0 &&
	    reader.read_status(task, now) == 0 && now.state != 'R' &&
	    now.switches == switches;
}

} // namespace stack9
