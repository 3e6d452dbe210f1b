// Reads the CPU clocks of this process and of its children.  Those that have
// ended and were waited for are in the kernel's sum.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cost.h"

#include <ctime>
#include <fstream>

#include <sys/resource.h>
#include <sys/types.h>

namespace stackrecord {
namespace {

constexpr std::uint64_t second_ns = 1'000'000'000;

std::uint64_t
ns_of(const timeval &t)
{
	return static_cast<std::uint64_t>(t.tv_sec) * second_ns +
	    static_cast<std::uint64_t>(t.tv_usec) * 1000;
}

std::uint64_t
ns_of(clockid_t clock)
{
	timespec t;
	return clock_gettime(clock, &t) != 0 ? 0 :
	    static_cast<std::uint64_t>(t.tv_sec) * second_ns +
	    static_cast<std::uint64_t>(t.tv_nsec);
}

} // namespace

cost::cost() : began_(now())
{
}

std::uint64_t
cost::now() const
{
	rusage ended{};
	getrusage(RUSAGE_CHILDREN, &ended);
	std::uint64_t sum = ns_of(CLOCK_PROCESS_CPUTIME_ID) +
	    ns_of(ended.ru_utime) + ns_of(ended.ru_stime);
	std::ifstream children("/proc/thread-self/children");
	clockid_t clock;
	for (pid_t pid; children >> pid;)
		if (clock_getcpuclockid(pid, &clock) == 0)
			sum += ns_of(clock);
	return sum;
}

std::uint64_t
cost::ns() const
{
	const std::uint64_t sum = now();
	return sum > began_ ? sum - began_ : 0;
}

} // namespace stackrecord
