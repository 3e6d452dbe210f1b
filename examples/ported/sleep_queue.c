/*
 * Prints the stacks of all threads that sleep on one address.  The code is in
 * the manner of FreeBSD's sleepqueue(9).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/cdefs.h>
__FBSDID("$FreeBSD$");

#include "opt_sleepqueue_profiling.h"
#include "opt_ddb.h"
#include "opt_sched.h"
#include "opt_stack.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sbuf.h>
#include <sys/sched.h>
#include <sys/sleepqueue.h>
#include <sys/stack.h>
#include <sys/sx.h>

#include <sys/queue.h>

struct sleepqueue {
	TAILQ_HEAD(, thread)	 sq_blocked;
	const void		*sq_wchan;
};
static struct sleepqueue queue = {
	.sq_blocked = TAILQ_HEAD_INITIALIZER(queue.sq_blocked)
};
static struct mtx queue_lock;
MTX_SYSINIT(queue, &queue_lock, "sleepq chain", MTX_SPIN);

/* The threads sleep until this lock is free. */
static struct sx gate;
SX_SYSINIT(gate, &gate, "gate");

/* The stacks are allocated before the spin lock is taken, and they are printed
 * after it is released: neither may be done under it. */
static int
queue_print_stacks(struct sbuf *sb, const void *wchan, u_int room)
{
	struct sleepqueue *sq;
	struct stack **st;
	struct sbuf **names;
	struct thread *td;
	u_int count, i;

	st = malloc(room * sizeof(*st), M_TEMP, M_WAITOK | M_ZERO);
	names = malloc(room * sizeof(*names), M_TEMP, M_WAITOK | M_ZERO);
	for (i = 0; i < room; i++) {
		st[i] = stack_create(M_WAITOK);
		names[i] = sbuf_new(NULL, NULL, MAXCOMLEN + 1, SBUF_FIXEDLEN);
	}
	count = 0;
	mtx_lock_spin(&queue_lock);
	sq = queue.sq_wchan == wchan ? &queue : NULL;
	if (sq != NULL)
		TAILQ_FOREACH(td, &sq->sq_blocked, td_slpq) {
			if (count == room)
				break;
			if (stack_save_td(st[count], td) != 0)
				continue;
			sbuf_printf(names[count++], "%s", td->td_name);
		}
	mtx_unlock_spin(&queue_lock);
	for (i = 0; i < room; i++) {
		sbuf_finish(names[i]);
		if (i < count) {
			sbuf_printf(sb, "thread %s:\n", sbuf_data(names[i]));
			stack_sbuf_print(sb, st[i]);
		}
		sbuf_delete(names[i]);
		stack_destroy(st[i]);
	}
	free(names, M_TEMP);
	free(st, M_TEMP);
	return (sq == NULL ? ENOENT : 0);
}

static void
queue_sleep(const void *wchan)
{

	mtx_lock_spin(&queue_lock);
	queue.sq_wchan = wchan;
	curthread->td_wchan = wchan;
	TAILQ_INSERT_TAIL(&queue.sq_blocked, curthread, td_slpq);
	mtx_unlock_spin(&queue_lock);
	sx_slock(&gate);
	mtx_lock_spin(&queue_lock);
	TAILQ_REMOVE(&queue.sq_blocked, curthread, td_slpq);
	mtx_unlock_spin(&queue_lock);
	sx_sunlock(&gate);
}

static void
reader(void *arg)
{

	queue_sleep(arg);
}

static void
writer(void *arg)
{

	queue_sleep(arg);
}

int
main(void)
{
	static int wchan;
	struct thread *td[2];
	struct sbuf *sb;
	int error;

	sx_xlock(&gate);
	error = kthread_add(reader, &wchan, NULL, &td[0], 0, 0, "reader%d", 0);
	while (error == 0 && !(td[0]->td_wchan != NULL &&
	    TD_IS_SLEEPING(td[0])))
		continue;
	if (error == 0)
		error = kthread_add(writer, &wchan, NULL, &td[1], 0, 0,
		    "writer");
	while (error == 0 && !(td[1]->td_wchan != NULL &&
	    TD_IS_SLEEPING(td[1])))
		continue;
	sb = sbuf_new_auto();
	if (error == 0)
		error = queue_print_stacks(sb, &wchan, 10);
	sbuf_finish(sb);
	printf("%serror %d\n", sbuf_data(sb), error);
	printf("another address: %s\n",
	    queue_print_stacks(sb, sb, 10) == ENOENT ? "ENOENT" : "?");
	sbuf_delete(sb);
	sx_xunlock(&gate);
	return (0);
}
