// Tells a thread that sleeps from one that is about to.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fstream>
#include <string>

#include <sys/types.h>

// A kernel that is preempted in its own code may take the CPU away from a
// thread that already has the state of a sleeper.  The file says "running"
// until the thread has left its CPU's queue.  It cannot be read without
// CONFIG_HAVE_ARCH_TRACEHOOK; then the state is enough.
inline bool
is_queued(pid_t tid)
{
	std::ifstream f("/proc/" + std::to_string(tid) + "/syscall");
	std::string word;
	return f >> word && word == "running";
}
