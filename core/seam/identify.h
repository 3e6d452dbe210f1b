// Fills in which thread a record is about.  Backends may use it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include "core/seam/record.h"

#include "os/thread_stat.h"

#include "refuse.h"

namespace stack9 {

// Takes thread, comm, state and cpu from what the system says of the thread.
// 0; ESRCH: another thread has the tid.
inline int
identify(const thread_stat &stat, const stack9_thread &td, stack_record &rec)
    noexcept
{
	rec.thread = {td.tid, td.pid, stat.start};
	rec.state = stat.state;
	rec.cpu = stat.cpu;
	copy_name(rec.comm, stat.comm);
	return td.start == 0 || td.start == stat.start ? 0 :
	    refuse(rec, ESRCH, STACK9_WHY_REUSED, nullptr);
}

} // namespace stack9
