// Declares how tests take copies by a backend's routes themselves.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <csignal>
#include <cstdio>
#include <map>
#include <memory>

#include "core/seam/backend.h"
#include <sys/wait.h>
#include <unistd.h>

#include "noted.h"

namespace stack9 {
extern const backend backend_procfs;
extern const backend backend_ptrace;
}

struct taken {
	int			error = 0;
	stack9::stack_record		rec{};
	stack9::user_copy	copy;
};

template <stack9::job J>
stack9::interface_of<J> &
route_of(const stack9::backend &b)
{
	return *stack9::routes_of<J>(b)[0];
}

// The reason for which it failed.
std::string words(const taken &);

taken take(stack9::user_route &, pid_t tid);
taken take(stack9::user_running_route &, pid_t tid);
int take_more(stack9::copying_route &, taken &, std::uintptr_t wanted);

// True: the thread was not held or not copied in time.  On a busy machine a
// thread may have to wait for its CPU longer than a capture waits for it.
bool is_late(const taken &);
inline constexpr int tries_in_time = 100;	// each takes 0.3 s at most

// Asks again for more as long as the answer is EAGAIN.
int take_more_in_time(stack9::copying_route &, taken &, std::uintptr_t wanted);

// take(), again for as long as the thread is late.
template <class Route>
taken
take_in_time(Route &r, pid_t tid)
{
	for (int i = 1; i < tries_in_time; i++)
		if (taken t = take(r, tid); !is_late(t))
			return t;
	return take(r, tid);
}

// By tid.  Fails the test where a thread comes twice.
std::map<pid_t, std::unique_ptr<taken>> take_all(stack9::user_pass_route &,
    pid_t pid, int &error);

// The same, again for as long as one of them but the silent one is late.
std::map<pid_t, std::unique_ptr<taken>> take_all_in_time(
    stack9::user_pass_route &, pid_t pid, int &error, pid_t silent = 0);

// A process that does f, and is killed and reaped when this goes, even where a
// test ends early.
class helper {
public:
	template <class F>
	explicit helper(F f)
	{
		std::fflush(nullptr);
		pid_ = fork();
		if (pid_ == 0) {
			f();
			_exit(0);
		}
	}
	helper(const helper &) = delete;
	~helper() { end(SIGKILL); }

	pid_t pid() const { return pid_; }
	// Its status, once it has ended; signo 0: by itself.
	int
	end(int signo = 0)
	{
		int status = 0;
		if (pid_ > 0) {
			if (signo != 0)
				kill(pid_, signo);
			waitpid(pid_, &status, __WALL);
		}
		pid_ = -1;
		return status;
	}

private:
	pid_t	pid_;
};

// The number of this process's descriptors, and of its children.
std::size_t open_files();
