// Implements the C entry points of proc(9): struct thread and struct proc for
// ported code.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9/sys/proc.h>

#include <algorithm>

#include "core/seam/thread.h"
#include "os/this_cpu.h"
#include "os/threads.h"
#include "os/uncancelled.h"
#include "view.h"

using namespace stack9;

namespace {

// False: the thread is gone.
bool
look_up(const struct thread &td, thread_stat &stat) noexcept
{
	return look_up_thread_of(td.td_proc->p_pid, td.td_tid, stat) == 0 &&
	    (td.td_start == 0 || stat.start == td.td_start);
}

bool
is_self(const struct thread &td) noexcept
{
	const struct thread &self = *curthread;
	return td.td_tid == self.td_tid && td.td_start == self.td_start;
}

// Returns the lowest pid above this one, or 0.
pid_t
next_pid(pid_t above) noexcept
{
	const uncancelled guard;
	pid_t next = 0;
	each_process([&](pid_t pid) {
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
	// A thread is found, too; only a leader's pid is its process.
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
	thread_stat stat;
	return is_self(*td) || (look_up(*td, stat) && stat.is_running());
}

int
stack9_thread_sleeping(const struct thread *td)
{
	thread_stat stat;
	return !is_self(*td) && look_up(*td, stat) && stat.is_asleep();
}

int
stack9_curcpu(void)
{
	return std::max(this_cpu(), 0);
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
