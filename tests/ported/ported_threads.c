/*
 * Saves the stacks of other threads in kernel code as FreeBSD writes it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "ported.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__noinline9 void
kdb_backtrace_thread(struct thread *td)
{
	struct stack st;

	stack_zero(&st);
	if (td == curthread)
		stack_save(&st);
	else if (stack_save_td(&st, td) != 0)
		return;
	print_names("backtrace", &st);
}

/*
 * All threads of a process: tids first, then each one's stack with the thread
 * lock held only while it is saved.
 */
__noinline9 int
proc_kstacks(struct proc *p)
{
	struct thread *td;
	struct stack *st;
	struct sbuf *sb;
	lwpid_t *tids;
	int count, error, i, room;

	PROC_LOCK(p);
	PHOLD(p);
	room = p->p_numthreads;
	tids = (lwpid_t *)calloc((size_t)room, sizeof(*tids));
	count = 0;
	FOREACH_THREAD_IN_PROC(p, td) {
		KASSERT(count < room, ("more threads than there were"));
		tids[count++] = td->td_tid;
		/* First, for tids may have begun again at the lowest. */
		if (td == curthread) {
			tids[count - 1] = tids[0];
			tids[0] = td->td_tid;
		}
	}
	PROC_UNLOCK(p);

	st = stack_create(M_WAITOK);
	for (i = 0; i < count; i++) {
		td = tdfind(tids[i], p->p_pid);
		if (td == NULL)
			continue;
		error = 0;
		thread_lock(td);
		if (TD_IS_SWAPPED(td))
			error = ENOENT;
		else if (TD_IS_RUNNING(td))
			error = stack_save_td_running(st, td);
		else
			error = stack_save_td(st, td);
		thread_unlock(td);
		PROC_LOCK_ASSERT(p, MA_OWNED);
		PROC_UNLOCK(p);
		sb = sbuf_new_auto();
		stack_sbuf_print(sb, st);
		if (sbuf_finish(sb) != 0)
			error = sbuf_error(sb);
		printf("thread %d of %s, %s: error %d, %s\n", i, p->p_comm,
		    td->td_name, error,
		    strstr(sbuf_data(sb), " at worker_wait+") != NULL ?
		    "waits" : strstr(sbuf_data(sb), " at proc_kstacks+") !=
		    NULL ? "asks" : "is elsewhere");
		sbuf_delete(sb);
	}
	stack_destroy(st);
	free(tids);
	PRELE(p);
	return (count);
}

__noinline9 void
worker_wait(int fd)
{
	char c;

	while (read(fd, &c, 1) < 0 && errno == EINTR)
		continue;
	after = 1;
}

__noinline9 void *
worker(void *arg)
{

	worker_wait(*(int *)arg);
	after = 1;
	return (NULL);
}
