// Implements the C entry points of proc(9): struct thread and struct proc for
// ported code.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9/sys/proc.h>

#include <algorithm>
#include <cstdio>

#include <fcntl.h>
#include <sched.h>

#include "core/seam/thread.h"
#include "os/uncancelled.h"
#include "view.h"

using namespace stack9;

namespace {

// The letter of /proc; 0 if the thread is gone.
char
state_of(const struct thread &td) noexcept
{
	const struct thread &self = *curthread;
	if (td.td_tid == self.td_tid && td.td_start == self.td_start)
		return 'R';
	char path[64];
	std::snprintf(path, sizeof path, "/proc/%d/task/%d/stat",
	    td.td_proc->p_pid, td.td_tid);
	thread_stat stat;
	return read_stat(AT_FDCWD, path, stat) == 0 &&
	    (td.td_start == 0 || stat.start == td.td_start) ? stat.state : 0;
}

// Returns the lowest pid above this one, or 0.
pid_t
next_pid(pid_t above) noexcept
{
	const uncancelled guard;
	const unique_fd processes(open("/proc",
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	pid_t next = 0;
	each_task(processes.get(), [&](pid_t pid) {
		if (pid > above && (next == 0 || pid < next))
			next = pid;
		return next != above + 1;
	});
	return next;
}

} // namespace

extern "C" {

struct thread *
tdfind(lwpid_t tid, pid_t pid)
{
	stack9_thread id;
	thread_stat stat;
	if (find_thread(tid, id, stat) != 0 || stat.is_dead() ||
	    (pid != -1 && pid != id.pid))
		return nullptr;
	view *v = lock_process(id.pid);
	return v == nullptr ? nullptr : intern(v, tid, stat);
}

struct proc *
pfind(pid_t pid)
{
	// /proc/TID exists for threads too; only a leader's is its process.
	stack9_thread id;
	thread_stat stat;
	if (find_thread(pid, id, stat) != 0 || id.pid != pid)
		return nullptr;
	view *v = lock_process(pid);
	return v == nullptr ? nullptr : v->p;
}

struct thread *
thread_find(struct proc *p, lwpid_t tid)
{
	view *const v = view_of(p);
	stack9_thread id;
	thread_stat stat;
	if (find_thread(tid, id, stat) != 0 || stat.is_dead() ||
	    id.pid != p->p_pid || !is_alive(*v))
		return nullptr;
	return intern(v, tid, stat);
}

void
stack9_proc_lock(struct proc *p)
{
	lock(view_of(p));
}

void
stack9_proc_unlock(struct proc *p)
{
	if (view *v = find_view(p))
		unlock(v);
}

void
stack9_proc_hold(struct proc *p)
{
	hold(view_of(p));
}

void
stack9_proc_release(struct proc *p)
{
	if (view *v = find_view(p))
		release(v);
}

struct thread *
stack9_proc_threads(struct proc *p)
{
	return threads_of(view_of(p));
}

int
stack9_thread_running(const struct thread *td)
{
	return state_of(*td) == 'R';
}

int
stack9_thread_sleeping(const struct thread *td)
{
	const char state = state_of(*td);
	return state == 'S' || state == 'D' || state == 'I';
}

int
stack9_curcpu(void)
{
	return std::max(sched_getcpu(), 0);
}

struct proc *
stack9_next_proc(struct proc *p)
{
	const pid_t last = p != nullptr ? p->p_pid : 0;
	if (p != nullptr)
		stack9_proc_release(p);
	for (pid_t pid = last; (pid = next_pid(pid)) != 0;)
		if (struct proc *next = pfind(pid)) {
			stack9_proc_hold(next);
			stack9_proc_unlock(next);
			return next;
		}
	return nullptr;
}

} // extern "C"
