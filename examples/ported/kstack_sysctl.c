/*
 * Offers the stacks of a process as a sysctl, in the manner of FreeBSD's
 * kern.proc.kstack.  procstat_kstack.c reads it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/cdefs.h>
__FBSDID("$FreeBSD$");

#include "opt_ddb.h"
#include "opt_kstack_pages.h"
#include "opt_stack.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/limits.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sbuf.h>
#include <sys/stack.h>
#include <sys/sx.h>
#include <sys/sysctl.h>
#include <sys/user.h>

static int
kstack_of(struct thread *td, struct stack *st)
{
	int error;

	thread_lock(td);
	if (TD_IS_SWAPPED(td))
		error = KKST_STATE_SWAPPED;
	else if (stack_save_td(st, td) == 0)
		error = KKST_STATE_STACKOK;
	else
		error = KKST_STATE_RUNNING;
	thread_unlock(td);
	return (error);
}

static int
sysctl_proc_kstack(SYSCTL_HANDLER_ARGS)
{
	struct kinfo_kstack *kk;
	struct proc *p;
	struct sbuf sb;
	struct stack *st;
	struct thread *td;
	lwpid_t *tids;
	int *name, count, error, i;

	if (arg2 != 1)
		return (EINVAL);
	name = (int *)arg1;
	error = pget((pid_t)name[0], PGET_NOTINEXEC | PGET_WANTREAD, &p);
	if (error != 0)
		return (error);
	kk = malloc(sizeof(*kk), M_TEMP, M_WAITOK);
	st = stack_create(M_WAITOK);
	PROC_LOCK(p);
	tids = mallocarray(p->p_numthreads, sizeof(*tids), M_TEMP,
	    M_WAITOK | M_ZERO);
	count = 0;
	FOREACH_THREAD_IN_PROC(p, td) {
		KASSERT(count < p->p_numthreads, ("a thread more"));
		tids[count++] = td->td_tid;
	}
	PROC_UNLOCK(p);
	for (i = 0; i < count && error == 0; i++) {
		td = tdfind(tids[i], p->p_pid);
		if (td == NULL)
			continue;
		bzero(kk, sizeof(*kk));
		kk->kkst_tid = td->td_tid;
		kk->kkst_state = kstack_of(td, st);
		PROC_UNLOCK(p);
		(void)sbuf_new(&sb, kk->kkst_trace, sizeof(kk->kkst_trace),
		    SBUF_FIXEDLEN);
		stack_sbuf_print(&sb, st);
		sbuf_finish(&sb);
		sbuf_delete(&sb);
		error = SYSCTL_OUT(req, kk, sizeof(*kk));
	}
	PRELE(p);
	free(tids, M_TEMP);
	stack_destroy(st);
	free(kk, M_TEMP);
	return (error);
}
static SYSCTL_NODE(_kern_proc, KERN_PROC_KSTACK, kstack, CTLFLAG_RD |
    CTLFLAG_MPSAFE, sysctl_proc_kstack, "Stacks of the threads of a process");

/* The names of the threads, in a record each. */
static int
sysctl_proc_pid(SYSCTL_HANDLER_ARGS)
{
	struct kinfo_proc kp;
	struct proc *p;
	struct thread *td;
	int error;

	if (arg2 != 1)
		return (EINVAL);
	p = pfind(*(pid_t *)arg1);
	if (p == NULL)
		return (ESRCH);
	error = 0;
	FOREACH_THREAD_IN_PROC(p, td) {
		bzero(&kp, sizeof(kp));
		kp.ki_structsize = sizeof(kp);
		kp.ki_pid = p->p_pid;
		kp.ki_tid = td->td_tid;
		kp.ki_numthreads = p->p_numthreads;
		strlcpy(kp.ki_comm, p->p_comm, sizeof(kp.ki_comm));
		strlcpy(kp.ki_tdname, td->td_name, sizeof(kp.ki_tdname));
		error = SYSCTL_OUT(req, &kp, sizeof(kp));
		if (error != 0)
			break;
	}
	PROC_UNLOCK(p);
	return (error);
}
static SYSCTL_NODE(_kern_proc, KERN_PROC_PID | KERN_PROC_INC_THREAD, pid_td,
    CTLFLAG_RD | CTLFLAG_MPSAFE, sysctl_proc_pid, "Threads of a process");

/* Threads to look at. */
static struct sx pool_work;
SX_SYSINIT(pool_work, &pool_work, "pool work");

static void
pool_worker(void *arg __unused)
{

	sx_slock(&pool_work);
	kthread_exit();
}

static void
pool_start(void *arg __unused)
{
	struct thread *td;
	int i;

	sx_xlock(&pool_work);
	for (i = 0; i < 2; i++) {
		if (kthread_add(pool_worker, NULL, NULL, &td, 0, 0, "pool_%d",
		    i) != 0)
			panic("no thread");
		while (!TD_IS_SLEEPING(td))
			continue;
	}
}
SYSINIT(pool, SI_SUB_KICK_SCHEDULER, SI_ORDER_ANY, pool_start, NULL);
