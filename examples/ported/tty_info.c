/*
 * Answers ^T: one line about the thread that is the most interesting of its
 * process, and the thread's stack.  The code is in the manner of FreeBSD's
 * tty_info().
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/cdefs.h>
__FBSDID("$FreeBSD$");

#include "opt_stack.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sbuf.h>
#include <sys/sched.h>
#include <sys/stack.h>
#include <sys/sx.h>
#include <sys/sysctl.h>

#include <vm/vm.h>
#include <vm/pmap.h>
#include <vm/vm_map.h>

static int tty_info_kstacks = STACK_SBUF_FMT_COMPACT;
SYSCTL_INT(_kern, OID_AUTO, tty_info_kstacks, CTLFLAG_RWTUN,
    &tty_info_kstacks, 0, "The format of stacks, 0 for none");

struct tty {
	size_t	t_column;
};

static int
tty_drain(void *arg, const char *data, int len)
{
	struct tty *tp;

	tp = arg;
	uprintf("%.*s", len, data);
	tp->t_column = data[len - 1] == '\n' ? 0 : tp->t_column + len;
	return (len);
}

/* Prefers a thread that runs, then one that a signal cannot wake, then the one
 * with the higher tid. */
static int
thread_compare(struct thread *a, struct thread *b)
{
	int runa, runb;

	if (a == NULL)
		return (1);
	thread_lock(a);
	runa = TD_IS_RUNNING(a) || TD_ON_RUNQ(a);
	thread_unlock(a);
	thread_lock(b);
	runb = TD_IS_RUNNING(b) || TD_ON_RUNQ(b);
	thread_unlock(b);
	if (runa != runb)
		return (runb);
	if ((a->td_flags & TDF_SINTR) != (b->td_flags & TDF_SINTR))
		return ((b->td_flags & TDF_SINTR) == 0);
	return (b->td_tid > a->td_tid);
}

static void
tty_info(struct tty *tp, struct proc *p, struct thread *except)
{
	struct sbuf sb;
	struct stack st;
	struct thread *td, *pick;
	const char *state;
	char comm[MAXCOMLEN + 1], buf[32], name[MAXCOMLEN + 1];
	pid_t pid;
	int error;

	(void)sbuf_new(&sb, buf, sizeof(buf), SBUF_FIXEDLEN);
	sbuf_set_drain(&sb, tty_drain, tp);
	stack_zero(&st);
	PROC_LOCK(p);
	pick = NULL;
	FOREACH_THREAD_IN_PROC(p, td)
		if (td != except && thread_compare(pick, td))
			pick = td;
	if (pick == NULL) {
		PROC_UNLOCK(p);
		sbuf_cat(&sb, "no thread\n");
		sbuf_finish(&sb);
		return;
	}
	thread_lock(pick);
	if (TD_IS_RUNNING(pick))
		state = "running";
	else if (TD_ON_RUNQ(pick) || TD_CAN_RUN(pick))
		state = "runnable";
	else if (TD_IS_SLEEPING(pick))
		state = pick->td_wmesg != NULL ? "sleeping, with a reason" :
		    "sleeping";
	else if (TD_IS_SUSPENDED(pick))
		state = "suspended";
	else
		state = p->p_state == PRS_ZOMBIE ? "zombie" : "unknown";
	error = TD_IS_SWAPPED(pick) ? ENOENT : stack_save_td(&st, pick);
	strlcpy(name, pick->td_name, sizeof(name));
	thread_unlock(pick);
	pid = p->p_pid;
	strlcpy(comm, p->p_comm, sizeof(comm));
	PROC_UNLOCK(p);

	sbuf_printf(&sb, "cmd: %s %d [%s] %s\n", comm, pid,
	    state[0] == 's' ? "sleeping" : state, name);
	if (error == 0 && tty_info_kstacks != STACK_SBUF_FMT_NONE)
		stack_sbuf_print_flags(&sb, &st, M_NOWAIT, tty_info_kstacks);
	else if (error != 0)
		sbuf_printf(&sb, "no stack, error %d\n", error);
	sbuf_nl_terminate(&sb);
	sbuf_finish(&sb);
	KASSERT(tp->t_column == 0, ("a line is open"));
}

static struct sx input;
SX_SYSINIT(input, &input, "ttyin");

static void
editor(void *arg __unused)
{

	sx_slock(&input);
}

int
main(void)
{
	static struct tty console;
	struct thread *td;

	sx_xlock(&input);
	if (kthread_add(editor, NULL, NULL, &td, 0, 0, "editor") != 0)
		return (1);
	while (!TD_IS_SLEEPING(td))
		continue;
	tty_info(&console, curproc, curthread);
	tty_info_kstacks = STACK_SBUF_FMT_LONG;
	tty_info(&console, curproc, curthread);
	tty_info(&console, curproc, td);
	return (0);
}
