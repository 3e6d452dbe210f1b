// Goes through the threads of a process or of the machine by the directories of
// /proc.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <sys/types.h>

#include "os/unique_dir.h"

#include "task.h"

namespace stack9::procfs {

// The next number among the names of a directory; 0 at its end.
inline pid_t
next_number(DIR *d) noexcept
{
	while (const dirent *e = readdir(d))
		if (const int n = std::atoi(e->d_name); n > 0)
			return n;
	return 0;
}

// Calls f(pid, tid) for every thread of a process until it returns non-0, and
// returns that.  gone: there was no such process (ESRCH).
template <class F>
int
threads_of_process(pid_t pid, bool &gone, F f) noexcept
{
	char path[64];
	std::snprintf(path, sizeof path, "/proc/%d/task", pid);
	const unique_dir tasks(opendir(path));
	gone = tasks == nullptr && errno == ENOENT;
	if (tasks == nullptr)
		return gone ? ESRCH : errno;
	while (const pid_t tid = next_number(tasks.get()))
		if (const int stop = f(pid, tid); stop != 0)
			return stop;
	return 0;
}

// The same for pid, or for the machine (pid 0).  ESRCH: no such process.
template <class F>
int
every_thread(pid_t pid, F f) noexcept
{
	bool gone = false;
	task leader;
	// Every thread has a directory in /proc, even if it is not listed.
	if (pid != 0 && read_task(pid, leader) == 0 && leader.pid != pid)
		return ESRCH;
	if (pid != 0)
		return threads_of_process(pid, gone, f);
	const unique_dir proc(opendir("/proc"));
	if (proc == nullptr)
		return errno;
	while (const pid_t p = next_number(proc.get()))
		if (const int stop = threads_of_process(p, gone, f);
		    stop != 0 && !gone)
			return stop;
	return 0;
}

} // namespace stack9::procfs
