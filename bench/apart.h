// Puts the measured thread and the measuring one on CPUs of their own.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sched.h>

// A thread on a CPU of its own and the caller on the others; on one CPU they
// would never run at once.
class apart {
public:
	explicit apart(pid_t other)
	{
		cpu_set_t mine, its;
		sched_getaffinity(0, sizeof before_, &before_);
		mine = before_;
		CPU_ZERO(&its);
		for (int cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--)
			if (CPU_ISSET(cpu, &mine)) {
				CPU_CLR(cpu, &mine);
				CPU_SET(cpu, &its);
				break;
			}
		sched_setaffinity(0, sizeof mine, &mine);
		sched_setaffinity(other, sizeof its, &its);
	}
	apart(const apart &) = delete;
	~apart() { sched_setaffinity(0, sizeof before_, &before_); }

private:
	cpu_set_t	before_;
};
