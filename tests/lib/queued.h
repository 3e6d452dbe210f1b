// Distinguishes a thread that sleeps from one that is about to, and finds the
// system call that it sleeps in, by /proc/TID/syscall.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fstream>
#include <string>

#include <sys/types.h>

// The first word of the file; none if it cannot be read, as it is without
// CONFIG_HAVE_ARCH_TRACEHOOK.
inline std::string
call_word(pid_t tid)
{
	std::ifstream f("/proc/" + std::to_string(tid) + "/syscall");
	std::string word;
	f >> word;
	return word;
}

// A kernel that is preempted in its own code may take the CPU away from a
// thread that already has the state of a sleeper.  The file says "running"
// until the thread has left its CPU's queue.  Without the file the state is
// enough.
inline bool
is_queued(pid_t tid)
{
	return call_word(tid) == "running";
}

// Without the file all other facts that are known have to be enough.
inline bool
is_in_call(pid_t tid, long call)
{
	const std::string word = call_word(tid);
	return word.empty() || word == std::to_string(call);
}
