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
#include "os/task_directory.h"

// A child that runs f and then sleeps until it is killed; f has run when the
// constructor returns.
class child {
public:
	explicit child(const std::function<void()> &f, pid_t as = 0)
	{
		int ready[2];
		BOOST_REQUIRE(pipe(ready) == 0);
		clone_args args{};
		args.exit_signal = SIGCHLD;
		args.set_tid = reinterpret_cast<std::uintptr_t>(&as);
		args.set_tid_size = as != 0 ? 1 : 0;
		pid_ = as == 0 ? fork() : static_cast<pid_t>(
		    syscall(SYS_clone3, &args, sizeof args));
		BOOST_REQUIRE(pid_ >= 0);
		if (pid_ == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			f();
			(void)!write(ready[1], "", 1);
			for (;;)
				pause();
		}
		char c;
		BOOST_REQUIRE(read(ready[0], &c, 1) == 1);
		close(ready[0]);
		close(ready[1]);
	}
	child(const child &) = delete;
	child &operator=(const child &) = delete;
	~child() { reap(); }

	void
	kill_only()
	{
		kill(pid_, SIGKILL);
		siginfo_t info;
		waitid(P_PID, static_cast<id_t>(pid_), &info,
		    WEXITED | WNOWAIT);
	}

	void
	reap()
	{
		if (pid_ <= 0)
			return;
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
		pid_ = 0;
	}

	pid_t pid() const { return pid_; }

private:
	pid_t	pid_;
};

inline void
nothing()
{
}

inline char
state_of(pid_t tid)
{
	stack9_thread id;
	stack9::thread_stat stat{};
	stack9::find_thread(tid, id, stat);
	return stat.state;
}

// A thread of this process that waits to be told to end.
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
