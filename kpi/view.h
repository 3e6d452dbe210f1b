// Keeps the view that one thread has of a process.  Each thread has its own
// views, so nothing here needs a lock, and the numbers of a view do not change
// while it is locked.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <stack9/sys/proc.h>

#include "core/seam/thread.h"

namespace stack9 {

// It is kept as long as the view, because the caller holds pointers to it.
struct known_thread {
	struct thread	 td;
	char		 wmesg[32];	// td.td_wmesg
	known_thread	*next;
};

// A view lives from the first lock or hold to the last.
struct view {
	struct proc	*p;		// own below, or curproc of some thread
	struct proc	 own;
	std::uint64_t	 start;		// of its leader; 0: it was gone
	int		 threads;	// when it was last locked
	unsigned int	 locks;
	unsigned int	 holds;
	bool		 listed;	// since this lock
	struct thread	*first;		// by tid, linked by td_plist
	known_thread	*known;
	view		*next;
};

// Returns the calling thread's view of p; NULL if it has none.
view *find_view(const struct proc *p) noexcept;
// The same, but makes the view if there is none.  Waits for memory.
view *view_of(struct proc *p) noexcept;
// Returns the view of process pid, locked; NULL if there is no such process.
view *lock_process(pid_t pid) noexcept;

void lock(view *) noexcept;
void unlock(view *) noexcept;		// may free it
void hold(view *) noexcept;
void release(view *) noexcept;		// may free it

bool is_alive(const view &) noexcept;
bool is_same(const view &, const thread_stat &leader) noexcept;
// Returns the one struct thread of this thread in this view.
struct thread *intern(view *, pid_t tid, const thread_stat &) noexcept;
// Lists the threads that the process has now.
void list_threads(view *) noexcept;
// Returns the first of the list.  The list is made once a lock.
struct thread *threads_of(view *) noexcept;

} // namespace stack9
