// Declares a thread of this process, as /proc/self/task/TID shows it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/record.h"

#include "os/posture.h"

namespace stack9::self {

class task {
public:
	// All return 0, or an errno with why and reason in rec.

	// Finds td, checks its start time, fills thread, comm, state, cpu.
	int open(const stack9_thread &td, stack_record &rec) noexcept;
	int read_posture(posture &, stack_record &) noexcept;
	// yes: the thread is still there and blocks signo.
	int blocks(int signo, bool &yes, stack_record &) noexcept;

	// 0, or why /proc cannot serve here.
	static int probe() noexcept;

private:
	int refuse_posture(int error, stack_record &) noexcept;
	int read_status(thread_status &, stack_record &) noexcept;

	proc_task	dir_;
	posture_reader	reader_;
};

} // namespace stack9::self
