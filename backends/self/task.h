// Reads the state of a thread of this process through an open directory
// /proc/self/task/TID.  The directory stays with its thread, so a file that is
// read through it never belongs to another one.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "core/seam/record.h"

namespace stack9::self {

// The state of a thread at one moment, as /proc says.  If two of these are
// equal, the thread did not run in between.
struct posture {
	std::uintptr_t	 sp = 0;
	std::uintptr_t	 pc = 0;
	std::uint64_t	 voluntary = 0;		// context switches
	std::uint64_t	 involuntary = 0;
	bool		 running = false;	// or about to: no sp, no pc

	bool operator==(const posture &) const = default;
};

class task {
public:
	task() = default;
	~task();
	task(const task &) = delete;
	task &operator=(const task &) = delete;

	// All return 0, or an errno with why and reason in rec.

	// Finds td, checks its start time, fills thread, comm, state, cpu.
	int open(const stack9_thread &td, stack_record &rec) noexcept;
	int read_posture(posture &, stack_record &) noexcept;
	// yes: the thread is still there and blocks signo.
	int blocks(int signo, bool &yes, stack_record &) noexcept;

	// 0, or why /proc cannot serve here.
	static int probe() noexcept;

private:
	int open_file(const char *name, int &fd, stack_record &) noexcept;
	int read_file(int fd, char *to, std::size_t size, stack_record &)
	    noexcept;
	int read_status(char *to, std::size_t size, stack_record &) noexcept;

	int	directory_ = -1;
	int	syscall_ = -1;
	int	status_ = -1;
};

} // namespace stack9::self
