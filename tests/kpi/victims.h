// Makes threads and processes to look at: each waits for a fact, none for time.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stack9/sys/proc.h>
#include "core/seam/thread.h"
#include "lib/process.h"
#include "os/task_directory.h"

using lib::child, lib::state_of;

inline void
nothing()
{
}

// A thread of this process that waits until it is asked to end.
class sibling {
public:
	sibling() : thread_([this] {
		tid_ = gettid();
		tid_.notify_one();
		end_.wait(false);
	})
	{
		tid_.wait(0);
	}
	~sibling()
	{
		end_ = true;
		end_.notify_one();
		thread_.join();
	}
	pid_t tid() const { return tid_; }

private:
	std::atomic<pid_t>	tid_{0};
	std::atomic<bool>	end_{false};
	std::thread		thread_;
};

inline int
threads_now()
{
	stack9::thread_stat stat{};
	stack9::read_stat(AT_FDCWD, "/proc/self/stat", stat);
	return stat.threads;
}

// Without those that a test makes: 1, and one more that a sanitizer starts with
// the first thread.
inline int
alone()
{
	static const int threads = [] {
		pid_t tid = 0;
		std::thread([&tid] { tid = gettid(); }).join();
		while (state_of(tid) != 0)
			sched_yield();
		return threads_now();
	}();
	return threads;
}

// A thread that was joined may still be on its way out.
struct settled {
	settled()
	{
		while (threads_now() != alone())
			sched_yield();
	}
};

inline std::vector<lwpid_t>
tids_of(struct proc *p)
{
	std::vector<lwpid_t> tids;
	struct thread *td;
	FOREACH_THREAD_IN_PROC(p, td) {
		BOOST_REQUIRE(td->td_proc == p);
		tids.push_back(td->td_tid);
	}
	return tids;
}
