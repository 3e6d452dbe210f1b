// Finds threads and processes of this machine, and says what the system knows
// of them.  Allocates nothing; may change errno.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

#include "task_directory.h"
#include "thread_stat.h"
#include "unique_fd.h"

namespace stack9 {

// Each returns 0; ESRCH: there is none; EPERM; EOPNOTSUPP: none can be found
// here; EMFILE and the like.  Results are untouched on failure.
//
// The thread that has this tid now, dead or alive, and its process.  All facts
// are of one thread, even if the tid passes to another one in between.
int look_up_thread(pid_t tid, pid_t &pid, thread_stat &) noexcept;
int look_up_thread_of(pid_t pid, pid_t tid, thread_stat &) noexcept;
// The first thread of a process.  Also finds the process of a thread that is
// not its first.
int look_up_process(pid_t pid, thread_stat &) noexcept;
// The calling thread, and the first one of its process.
int look_up_caller(thread_stat &) noexcept;
int look_up_callers_process(thread_stat &) noexcept;

// The name of the function in the kernel that the thread sleeps in.  False:
// only those who may trace the thread can read it.
bool read_wait_channel(pid_t pid, pid_t tid, char (&name)[32]) noexcept;

// Calls f(pid) for each process until f returns false.
template <class F> void
each_process(F f)
{
	const unique_fd processes(open("/proc",
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	each_task(processes.get(), f);
}

// The threads of one process.  It stays the same one while this is open.
class process_threads {
public:
	// As look_up_process().
	int open(pid_t pid, thread_stat &first) noexcept;

	// Calls f(tid) for each thread until f returns false, the oldest first.
	// A thread that ends meanwhile may hide others.
	template <class F> void
	each(F f)
	{
		lseek(tasks_.get(), 0, SEEK_SET);
		each_task(tasks_.get(), f);
	}
	int look_up(pid_t tid, thread_stat &) const noexcept;

private:
	unique_fd	tasks_;
};

} // namespace stack9
