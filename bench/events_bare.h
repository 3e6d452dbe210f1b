// Declares what no tracer is cheaper than: a program that does nothing at each
// system call; and the cheapest stack that the kernel can take, by a program
// that calls bpf_get_stack() for one process's system call, and nothing else.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <sys/types.h>

class empty_program {
public:
	// Attached to the raw tracepoint of all calls, as the library's program
	// is, as long as this is here.
	empty_program();
	empty_program(const empty_program &) = delete;
	~empty_program();

	bool is_there() const { return event_ >= 0; }

private:
	int	program_ = -1, event_ = -1;
};

class bare_walk {
public:
	// Attached to a tracepoint of the category syscalls as long as this is
	// here.  in_map: the stack is counted by the kernel's own map of
	// stacks.  It loses those that collide.
	bare_walk(pid_t pid, const std::string &tracepoint, bool user,
	    bool in_map = false);
	bare_walk(const bare_walk &) = delete;
	~bare_walk();

	bool is_there() const { return is_there_; }

private:
	int	map_ = -1, counts_ = -1, program_ = -1, event_ = -1;
	bool	is_there_ = false;
};
