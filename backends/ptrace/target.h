// The thread that is to be traced, as /proc has it: who it is before, whether
// it is still the same after, and why it may not be traced.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "os/linux/proc_task.h"
#include <stack9.h>

#include "held.h"

namespace stack9::tracing {

class target {
public:
	// 0, or an errno with its words in rec: fills in who it is.
	int open(const stack9_thread &, stack9_record &rec) noexcept;

	// Whether it is alive and so has had its tid all the time.
	bool is_still_there(stack9_record &rec) const noexcept;

	// Words for what the tracer met.
	int refuse(int error, step, stack9_record &rec) const noexcept;
	int refuse_killed(step, stack9_record &rec) const noexcept;

	// Whether a thread of ours may trace it where a process may not.
	static bool ancestors_may() noexcept;

	// Of its process.  0; EPERM; EMFILE...
	int open_memory(source &, stack9_record &rec) noexcept;

private:
	int read_status(stack9_record &rec) const noexcept;
	int refuse_rights(stack9_record &rec) const noexcept;

	proc_task	dir_;
	proc_file	mem_;
	std::uint64_t	flags_ = 0;	// task_struct.flags
	std::uintptr_t	start_stack_ = 0;
};

// 0 to 3; -1: there is no Yama.
int yama_scope() noexcept;

} // namespace stack9::tracing
