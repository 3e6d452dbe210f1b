// Reads the CPU clocks of this process and of its children.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cost.h"

#include <fstream>

#include <sys/types.h>

namespace stackrecord {

cost::cost() : clocks_{CLOCK_PROCESS_CPUTIME_ID}
{
	std::ifstream children("/proc/thread-self/children");
	clockid_t clock;
	for (pid_t pid; children >> pid;)
		if (clock_getcpuclockid(pid, &clock) == 0)
			clocks_.push_back(clock);
	began_ = now();
}

std::uint64_t
cost::now() const
{
	std::uint64_t sum = 0;
	timespec t;
	for (const clockid_t each : clocks_)
		if (clock_gettime(each, &t) == 0)
			sum += static_cast<std::uint64_t>(t.tv_nsec) +
			    static_cast<std::uint64_t>(t.tv_sec) * 1000000000;
	return sum;
}

std::uint64_t
cost::ns() const
{
	const std::uint64_t sum = now();
	return sum > began_ ? sum - began_ : 0;
}

} // namespace stackrecord
