// Reads from /proc/TID where a sleeping thread is in user mode, and whether it
// has run since.  Allocates nothing; async-signal-safe; may change errno.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <sys/types.h>

#include "proc_task.h"

namespace stack9 {

// If two of these are equal, the thread did not run in between.
struct posture {
	std::uintptr_t	sp = 0;
	std::uintptr_t	pc = 0;
	std::uint64_t	switches = 0;	// of contexts, voluntary and not
	bool		running = false;	// or about to: no sp, no pc

	bool operator==(const posture &) const = default;
};

// The lines of status that are used.  A line that is missing leaves 0.
struct thread_status {
	pid_t		pid = 0;
	char		state = 0;	// 'R', 'S', 'D'...
	std::uint64_t	blocked = 0;	// signals; bit 0 is signal 1
	std::uint64_t	switches = 0;
};

// Keeps the files open that say so.  Each function returns 0; ESRCH: the thread
// is gone; EPERM; EMFILE...
class posture_reader {
public:
	// Reads sp and pc from syscall.  The kernel gives them only for a
	// thread that it finds off its CPU twice without a switch in between.
	int read_registers(const proc_task &, posture &) noexcept;
	// The caller adds its switches to the posture.
	int read_status(const proc_task &, thread_status &) noexcept;
	// How often the thread has come to a CPU, a tenth of the cost of its
	// switches.  0: the kernel does not count this (CONFIG_SCHEDSTATS).
	std::uint64_t read_arrivals(const proc_task &) noexcept;

private:
	proc_file	syscall_;
	proc_file	status_;
	proc_file	schedstat_;
};

} // namespace stack9
