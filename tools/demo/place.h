// Asks the kernel where a thread is.  It reads /proc/TID: a thread is in its
// place when it sleeps in the right system call.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sched.h>
#include <sys/types.h>
#include <unistd.h>

namespace demo {

// Returns false if there is no such file, or it is empty.
template <std::size_t size>
bool
read_of(pid_t tid, const char *file, char (&text)[size])
{
	char path[64];
	std::snprintf(path, sizeof path, "/proc/%d/%s", tid, file);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	const ssize_t n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

inline bool
sleeps(pid_t tid)
{
	char text[512];
	const char *end = read_of(tid, "stat", text) ?
	    std::strrchr(text, ')') : nullptr;
	return end != nullptr && end[1] == ' ' && end[2] == 'S';
}

// The file says "running" for a thread on a CPU.  A kernel may lack the file;
// then it is enough that the thread sleeps.
inline bool
is_in(pid_t tid, long nr)
{
	char text[512];
	if (!read_of(tid, "syscall", text))
		return true;
	char *end;
	return std::strtol(text, &end, 10) == nr && end != text;
}

// Waits until tid sleeps in system call number nr.
inline void
wait_until_asleep_in(pid_t tid, long nr)
{
	while (!sleeps(tid) || !is_in(tid, nr))
		sched_yield();
}

} // namespace demo
