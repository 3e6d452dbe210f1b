// Makes, counts, lists and frees the views of processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "view.h"

#include <cstdio>
#include <cstdlib>
#include <new>

#include <fcntl.h>

#include "os/linux/uncancelled.h"
#include "malloc_wait.h"

namespace stack9 {
namespace {

// The C entry points have no way to fail, so these wait for memory.
template <class T> T *
create() noexcept
{
	return new (malloc_wait(sizeof(T), false)) T{};
}

void
destroy(view *v) noexcept
{
	while (known_thread *k = v->known) {
		v->known = k->next;
		std::free(k);
	}
	std::free(v);
}

struct view_list {
	view	*first = nullptr;

	// A thread may exit with locks held; no other thread has its views.
	~view_list()
	{
		while (view *v = first) {
			first = v->next;
			destroy(v);
		}
	}
};
thread_local view_list views;

template <class F> view *
find_if(F is) noexcept
{
	view *v = views.first;
	while (v != nullptr && !is(*v))
		v = v->next;
	return v;
}

// If p is NULL, the view uses a struct proc of its own.
view *
add_view(struct proc *p, std::uint64_t start) noexcept
{
	view *v = create<view>();
	v->p = p != nullptr ? p : &v->own;
	v->start = start;
	v->next = views.first;
	views.first = v;
	return v;
}

void
drop_if_unused(view *v) noexcept
{
	if (v->locks != 0 || v->holds != 0)
		return;
	view **at = &views.first;
	while (*at != v)
		at = &(*at)->next;
	*at = v->next;
	destroy(v);
}

bool
read_leader(pid_t pid, thread_stat &stat) noexcept
{
	char path[32];
	std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
	return read_stat(AT_FDCWD, path, stat) == 0;
}

// A leader may exit before its threads, so the process ends with its last
// thread.
bool
is_gone(const thread_stat &leader) noexcept
{
	return leader.is_dead() && leader.threads <= 1;
}

void
begin_lock(view *v, int threads) noexcept
{
	v->listed = false;
	v->threads = threads;
	// Another thread's curproc is read, never written.
	if (v->p == &v->own || v->p == curproc)
		v->p->p_numthreads = threads;
}

// Whether this is still the process that the view was made of, and not another
// with its pid.  The caller's own process always is, in a child of fork(2) too.
bool
is_same(const view &v, const thread_stat &leader) noexcept
{
	return v.p == curproc || leader.start == v.start;
}

int
count_threads(const view &v) noexcept
{
	thread_stat leader;
	return read_leader(v.p->p_pid, leader) && is_same(v, leader) ?
	    leader.threads : 0;
}

// Finds the place of tid in the list, or the place where it belongs.  Most come
// in ascending order, so the search begins at the last.
struct thread **
place(view *v, pid_t tid, struct thread *last) noexcept
{
	struct thread **at = last != nullptr && last->td_tid < tid ?
	    &last->td_link : &v->first;
	while (*at != nullptr && (*at)->td_tid < tid)
		at = &(*at)->td_link;
	return at;
}

// Reads the directory once and returns how many threads it added.
int
add_threads(view *v, int tasks, int most) noexcept
{
	struct thread *last = nullptr;
	int added = 0;
	each_task(tasks, [&](pid_t tid) {
		if (added == most)
			return false;
		struct thread **at = place(v, tid, last);
		if (*at != nullptr && (*at)->td_tid == tid)
			return true;
		char path[32];
		thread_stat stat;
		std::snprintf(path, sizeof path, "%d/stat", tid);
		if (read_stat(tasks, path, stat) == 0 && !stat.is_dead()) {
			last = intern(v, tid, stat);
			last->td_link = *at;
			*at = last;
			added++;
		}
		return true;
	});
	return added;
}

// Lists at most as many threads as p_numthreads said, because callers have
// allocated for that many.  The directory has the oldest first, so threads born
// since are left out.  A thread that ends while the kernel reads the directory
// may hide others, so a further pass follows unless all were found.
void
list_threads(view *v) noexcept
{
	const uncancelled guard;
	v->first = nullptr;
	v->listed = true;
	char path[32];
	std::snprintf(path, sizeof path, "/proc/%d", v->p->p_pid);
	const unique_fd process(open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
	const unique_fd tasks(openat(process.get(), "task",
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	thread_stat leader;
	if (read_stat(process.get(), "stat", leader) != 0 ||
	    !is_same(*v, leader))
		return;
	for (int left = v->threads, added = 1; left > 0 && added > 0;
	    left -= added) {
		added = add_threads(v, tasks.get(), left);
		lseek(tasks.get(), 0, SEEK_SET);
	}
}

} // namespace

view *
find_view(const struct proc *p) noexcept
{
	return find_if([p](const view &v) { return v.p == p; });
}

view *
view_of(struct proc *p) noexcept
{
	if (view *v = find_view(p))
		return v;
	thread_stat leader{};
	read_leader(p->p_pid, leader);
	return add_view(p, leader.start);
}

// NULL: there is no such process.
view *
lock_process(pid_t pid) noexcept
{
	thread_stat leader;
	if (pid < 1 || !read_leader(pid, leader) || is_gone(leader))
		return nullptr;
	struct proc *const self = pid == curproc->p_pid ? curproc : nullptr;
	view *v = self != nullptr ? find_view(self) :
	    find_if([&](const view &o) {
		    return o.p == &o.own && o.own.p_pid == pid &&
			o.start == leader.start;
	    });
	if (v == nullptr) {
		v = add_view(self, leader.start);
		v->p->p_pid = pid;
		copy_name(v->p->p_comm, leader.comm);
	}
	if (v->locks++ == 0)
		begin_lock(v, leader.threads);
	return v;
}

void
lock(view *v) noexcept
{
	if (v->locks++ == 0)
		begin_lock(v, count_threads(*v));
}

void
unlock(view *v) noexcept
{
	if (v->locks > 0)
		v->locks--;
	drop_if_unused(v);
}

void
hold(view *v) noexcept
{
	v->holds++;
}

void
release(view *v) noexcept
{
	if (v->holds > 0)
		v->holds--;
	drop_if_unused(v);
}

bool
is_alive(const view &v) noexcept
{
	return count_threads(v) > 0;
}

struct thread *
intern(view *v, pid_t tid, const thread_stat &stat) noexcept
{
	struct thread *const self = curthread;
	if (v->p == self->td_proc && tid == self->td_tid)
		return self;
	for (known_thread *k = v->known; k != nullptr; k = k->next)
		if (k->td.td_tid == tid && k->td.td_start == stat.start)
			return &k->td;
	known_thread *k = create<known_thread>();
	k->td.td_proc = v->p;
	k->td.td_tid = tid;
	k->td.td_start = stat.start;
	copy_name(k->td.td_name, stat.comm);
	k->next = v->known;
	v->known = k;
	return &k->td;
}

struct thread *
threads_of(view *v) noexcept
{
	// Without a lock the caller knows that the process holds still.
	if (v->locks == 0)
		begin_lock(v, count_threads(*v));
	if (!v->listed)
		list_threads(v);
	return v->first;
}

} // namespace stack9
