// Fills in which thread a record is about.  Backends may use it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <string_view>

#include "core/seam/record.h"

#include "os/stat_line.h"

#include "refuse.h"

namespace stack9 {

// Takes thread, comm, state and cpu from the thread's line of stat.  0; ESRCH:
// another thread has the tid, or this is no such line.
inline int
identify(std::string_view line, const stack9_thread &td, stack_record &rec)
    noexcept
{
	thread_stat stat;
	if (!parse_stat(line, stat))
		return refuse(rec, ESRCH, STACK9_WHY_GONE, nullptr);
	rec.thread = {td.tid, td.pid, stat.start};
	rec.state = stat.state;
	rec.cpu = stat.cpu;
	copy_name(rec.comm, stat.comm);
	return td.start == 0 || td.start == stat.start ? 0 :
	    refuse(rec, ESRCH, STACK9_WHY_REUSED, nullptr);
}

} // namespace stack9
