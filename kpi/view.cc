// Makes, counts, lists and frees the views of processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "view.h"

#include <cstdlib>

#include "os/threads.h"
#include "os/uncancelled.h"
#include "malloc_wait.h"

namespace stack9 {
namespace {

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
	view *v = create_waiting<view>();
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

int
count_threads(const view &v) noexcept
{
	thread_stat leader;
	return look_up_process(v.p->p_pid, leader) == 0 &&
	    is_same(v, leader) ? leader.threads : 0;
}

} // namespace

// Returns true if this is still the process that the view was made of, and not
// another with its pid.  The caller's own process always is, in a child of
// fork(2) too.
bool
is_same(const view &v, const thread_stat &leader) noexcept
{
	return v.p == curproc || leader.start == v.start;
}

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
	look_up_process(p->p_pid, leader);
	return add_view(p, leader.start);
}

// NULL: there is no such process.
view *
lock_process(pid_t pid) noexcept
{
	thread_stat leader;
	if (pid < 1 || look_up_process(pid, leader) != 0 || is_gone(leader))
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
		v->p->p_state = PRS_NORMAL;
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
