/*
 * Prints the stacks of all threads of a process, in the format of procstat -kk.
 * The code is as in FreeBSD's kernel, unchanged.
 *
 *	cc ported_kernel.c $(pkg-config --cflags --libs stack9-overlay)
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/param.h>
#include <sys/malloc.h>
#include <sys/proc.h>
#include <sys/sbuf.h>
#include <sys/stack.h>

#include <stdio.h>

static int
put(void *arg, const char *data, int len)
{
	return ((int)fwrite(data, 1, (size_t)len, arg));
}

static void
print_threads(struct proc *p)
{
	struct sbuf sb;
	struct stack *st;
	struct thread *td;
	char buf[32];
	int error;

	st = stack_create(M_WAITOK);
	sbuf_new(&sb, buf, sizeof(buf), SBUF_FIXEDLEN);
	sbuf_set_drain(&sb, put, stdout);
	FOREACH_THREAD_IN_PROC(p, td) {
		thread_lock(td);
		error = stack_save_td(st, td);
		thread_unlock(td);
		sbuf_printf(&sb, "%s: ", td->td_name);
		if (error == 0)
			stack_sbuf_print_flags(&sb, st, M_WAITOK,
			    STACK_SBUF_FMT_COMPACT);
		else
			sbuf_printf(&sb, "error %d\n", error);
	}
	sbuf_finish(&sb);
	stack_destroy(st);
}

int
main(void)
{
	PROC_LOCK(curproc);
	print_threads(curproc);
	PROC_UNLOCK(curproc);
	return (0);
}
