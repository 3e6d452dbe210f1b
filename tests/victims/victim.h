// Starts processes with threads in known places, for tests and benchmarks.
// Their maker kills them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include <sys/types.h>

#include "lib/process.h"

using lib::state_of, lib::wait_for_state;

// A thread of a victim does one of these.
enum class doing {
	read,		// blocked in read(2) of a pipe
	poll,		// blocked in poll(2)
	futex,		// blocked in a futex wait
	nanosleep,	// blocked in nanosleep(2)
	epoll,		// blocked in epoll_wait(2)
	sigwait,	// blocked in sigwaitinfo(2)
	spin_user,	// never in the kernel of its own will
	spin_syscall,	// getppid(2) in a loop
	flip,		// wakes its partner and waits for it, in pairs
	come_and_go,	// starts threads that exit at once
};

inline constexpr doing all_sleepers[] = {doing::read, doing::poll,
    doing::futex, doing::nanosleep, doing::epoll, doing::sigwait};

// A child process.  Its threads are where they should be once it is made;
// it is killed and reaped when it goes.
class victim {
public:
	explicit victim(std::vector<doing> threads);
	victim(const victim &) = delete;
	~victim();

	pid_t pid() const { return pid_; }
	const std::vector<pid_t> &tids() const { return tids_; }
	void kill_and_reap();

private:
	pid_t			 pid_ = -1;
	std::vector<pid_t>	 tids_;
};
