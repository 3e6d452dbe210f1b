// Finds the threads of a view, and links those of one process into a list.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "view.h"

#include "os/threads.h"
#include "os/uncancelled.h"
#include "malloc_wait.h"

namespace stack9 {
namespace {

// Finds the place of tid in the list, or the place where it belongs.  Most come
// in ascending order, so the search begins at the last.
struct thread **
place(view *v, pid_t tid, struct thread *last) noexcept
{
	struct thread **at = last != nullptr && last->td_tid < tid ?
	    &last->td_plist.tqe_next : &v->first;
	while (*at != nullptr && (*at)->td_tid < tid)
		at = &(*at)->td_plist.tqe_next;
	return at;
}

// Reads the directory once and returns how many threads it added.
int
add_threads(view *v, process_threads &all, int most) noexcept
{
	struct thread *last = nullptr;
	int added = 0;
	all.each([&](pid_t tid) {
		if (added == most)
			return false;
		struct thread **at = place(v, tid, last);
		if (*at != nullptr && (*at)->td_tid == tid)
			return true;
		thread_stat stat;
		if (all.look_up(tid, stat) == 0 && !stat.is_dead()) {
			last = intern(v, tid, stat);
			last->td_plist.tqe_next = *at;
			*at = last;
			added++;
		}
		return true;
	});
	return added;
}

// Hangs the list into p_threads.  Another thread's curproc is read, never
// written.
void
show_threads(view *v, struct thread **end) noexcept
{
	if (v->p != &v->own && v->p != curproc)
		return;
	auto &head = v->p->p_threads;
	head.tqh_first = v->first;
	head.tqh_last = v->first != nullptr ? end : &head.tqh_first;
	if (v->first != nullptr)
		v->first->td_plist.tqe_prev = &head.tqh_first;
}

} // namespace

struct thread *
intern(view *v, pid_t tid, const thread_stat &stat) noexcept
{
	struct thread *const self = curthread;
	if (v->p == self->td_proc && tid == self->td_tid)
		return self;
	for (known_thread *k = v->known; k != nullptr; k = k->next)
		if (k->td.td_tid == tid && k->td.td_start == stat.start)
			return &k->td;
	known_thread *k = create_waiting<known_thread>();
	k->td.td_proc = v->p;
	k->td.td_tid = tid;
	k->td.td_start = stat.start;
	copy_name(k->td.td_name, stat.comm);
	k->td.td_flags = TDF_INMEM | (stat.state == 'S' ? TDF_SINTR : 0);
	if (!stat.is_running()) {
		const uncancelled guard;
		if (read_wait_channel(v->p->p_pid, tid, k->wmesg))
			k->td.td_wmesg = k->wmesg;
	}
	k->next = v->known;
	v->known = k;
	return &k->td;
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
	process_threads all;
	thread_stat leader;
	if (all.open(v->p->p_pid, leader) != 0 || !is_same(*v, leader))
		return;
	for (int left = v->threads, added = 1; left > 0 && added > 0;
	    left -= added)
		added = add_threads(v, all, left);
	struct thread **at = &v->first;
	for (struct thread *td; (td = *at) != nullptr;
	    at = &td->td_plist.tqe_next)
		td->td_plist.tqe_prev = at;
	show_threads(v, at);
}

} // namespace stack9
