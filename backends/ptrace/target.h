// Reads from /proc which thread is to be traced, whether the same thread is
// still there afterwards, and why it may not be traced.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "core/seam/refuse.h"
#include "os/proc_task.h"
#include "core/seam/record.h"

#include "stopped_thread.h"

namespace stack9::tracing {

class target {
public:
	// Fills in which thread it is.  0, or an errno with why and reason in
	// rec.
	int open(const stack9_thread &, stack_record &rec) noexcept;

	// 0 if the thread is alive, and so has had its tid all the time.
	// ESRCH; EMFILE and the like: it cannot be looked at.
	int refuse_if_gone(stack_record &rec) const noexcept;

	// Explain an error of the tracer, or its death.
	int refuse(int error, step, stack_record &rec) const noexcept;
	int refuse_killed(step, stack_record &rec) const noexcept;

	// True if a thread of ours may trace it where a process may not.
	static bool ancestors_may() noexcept;

	// Opens the memory of its process.  0; EPERM; EMFILE...
	int open_memory(source &, stack_record &rec) noexcept;

private:
	int read_status(stack_record &rec) const noexcept;
	int refuse_rights(stack_record &rec) const noexcept;

	proc_task	dir_;
	proc_file	mem_;
	std::uint64_t	flags_ = 0;	// task_struct.flags
	std::uintptr_t	start_stack_ = 0;
};

// 0 to 3; -1: there is no Yama.
int yama_scope() noexcept;

// refuse() by a name that the members named refuse do not hide.
inline int
say(stack_record &rec, int error, stack9_why why, const char *reason) noexcept
{
	return refuse(rec, error, why, reason);
}

} // namespace stack9::tracing
