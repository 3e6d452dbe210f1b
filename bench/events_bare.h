// The least that a stack in the kernel can cost: a program that calls
// bpf_get_stack() for one process's system call, and nothing else.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <sys/types.h>

class bare_walk {
public:
	// Attached to the tracepoint sys_enter as long as this is here.
	bare_walk(pid_t pid, int number, bool user);
	bare_walk(const bare_walk &) = delete;
	~bare_walk();

	bool is_there() const { return link_ >= 0; }

private:
	int	map_ = -1, program_ = -1, link_ = -1;
};
