// Keeps another process on the caller's CPU while the two take turns.
//
// To wake a process on an idle CPU costs tens of microseconds in a virtual
// machine, and each question and answer costs two of them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sched.h>
#include <sys/types.h>

namespace stack9 {

class near_cpu {
public:
	// The kernel may refuse it, for example in a container.  Then the
	// process stays where it is.
	void
	bring(pid_t process) noexcept
	{
		const int cpu = sched_getcpu();
		if (process != process_)
			*this = near_cpu(process);
		if (cpu == at_ || cpu < 0 || cpu >= CPU_SETSIZE || is_refused_)
			return;
		cpu_set_t one;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if ((at_ < 0 && sched_getaffinity(process, sizeof all_,
		    &all_) != 0) ||
		    sched_setaffinity(process, sizeof one, &one) != 0)
			is_refused_ = true;
		else
			at_ = cpu;
	}

	// Lets it run on all CPUs that it had before.
	void
	release() noexcept
	{
		if (at_ >= 0)
			sched_setaffinity(process_, sizeof all_, &all_);
		at_ = -1;
	}

	near_cpu() noexcept = default;

private:
	explicit near_cpu(pid_t process) noexcept : process_(process) {}

	pid_t		process_ = -1;
	int		at_ = -1;	// its only CPU; -1: it has all
	bool		is_refused_ = false;
	cpu_set_t	all_{};
};

} // namespace stack9
