// Makes system calls in the place of a stopped process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#ifdef __x86_64__

#include <cstddef>
#include <vector>

#include <sys/types.h>
#include <sys/user.h>

using registers = user_regs_struct;

// A process stopped at the end of a system call.
class inside {
public:
	explicit inside(pid_t);
	~inside();
	inside(const inside &) = delete;
	inside &operator=(const inside &) = delete;

	// Some memory that the process does not need: below its red zone.
	unsigned long put(const void *bytes, std::size_t size);
	// The result, or -errno.  Gone processes give -ESRCH.
	long call(long number, std::vector<unsigned long> arguments);

private:
	// To the next begin or end of a system call; signals are delivered.
	void go_on();

	bool		is_there_ = true;
	const pid_t	pid_;
	registers	before_{};
};

#endif
