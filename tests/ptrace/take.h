// Copies, taken by a backend's routes themselves.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

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
	stack9_record		rec{};
	stack9::user_copy	copy;
};

template <stack9::job J>
stack9::interface_of<J> &
route_of(const stack9::backend &b)
{
	return *stack9::routes_of<J>(b)[0];
}

// Why it failed.
std::string words(const taken &);

taken take(stack9::user_route &, pid_t tid);
taken take(stack9::user_running_route &, pid_t tid);
int take_more(stack9::copying_route &, taken &, std::uintptr_t wanted);

// By tid.  Fails the test where a thread comes twice.
std::map<pid_t, std::unique_ptr<taken>> take_all(stack9::user_pass_route &,
    pid_t pid, int &error);

// The number of this process's descriptors, and of its children.
std::size_t open_files();

// What f returns in a child process, 0 to 255; 999: it was killed.
template <class F>
int
in_child(F f)
{
	std::fflush(nullptr);
	const pid_t pid = fork();
	if (pid == 0)
		_exit(f());
	int status = 0;
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 999;
}
