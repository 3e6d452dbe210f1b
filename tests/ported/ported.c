/*
 * Calls stack(9) from kernel code as FreeBSD writes it, in the manner of the
 * callers there: it is compiled unchanged as C99 and as C++20, and what it
 * prints is compared with expected.txt.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "ported.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <stack9.h>

/* Keeps a loop from being unrolled: each copy of a call is another pc. */
static volatile int	rounds = 3;

/*
 * Kernel code prints into a small buffer on the stack that is drained to the
 * console.
 */
static int
console_drain(void *arg, const char *data, int len)
{

	(void)arg;
	(void)fwrite(data, 1, (size_t)len, stdout);
	return (len);
}

/*
 * Nothing may be allocated here: 32 bytes and a drain.
 */
__noinline9 void
witness_report(const struct stack *st)
{
	char buf[32];
	struct sbuf sb;
	int error;

	sbuf_new(&sb, buf, sizeof(buf), SBUF_FIXEDLEN);
	sbuf_set_drain(&sb, console_drain, NULL);
	sbuf_printf(&sb, "lock order reversal of %d frames:\n", st->depth);
	stack_sbuf_print_ddb(&sb, st);
	error = stack_sbuf_print_flags(&sb, st, M_NOWAIT,
	    STACK_SBUF_FMT_COMPACT);
	sbuf_printf(&sb, "error %d, %s\n", error,
	    error == EWOULDBLOCK ? "would block" : "printed");
	error = sbuf_finish(&sb);
	printf("sbuf error %d\n", error);
}

/* Until the thread sleeps in its read(2). */
static void
until_asleep(lwpid_t tid)
{
	struct thread *td;
	int running;

	do {
		td = tdfind(tid, -1);
		running = TD_IS_RUNNING(td);
		PROC_UNLOCK(td->td_proc);
	} while (running);
}

static void
ktr_print(void *arg, unsigned int mask, const char *file, int line,
    const char *text)
{
	const char *base;

	(void)arg;
	base = strrchr(file, '/');
	printf("ktr %#x %.6s %d %s\n", mask, base != NULL ? base + 1 : file,
	    line > 0, text);
}

void
alpha(void)
{

	after = 1;
}

void
beta(void)
{

	after = 1;
}

/* Stacks with chosen program counters, in every format. */
static void
formats(void)
{
	struct stack *st, *copy;

	st = stack_create();
	KASSERT(st->depth == 0, ("not empty"));
	(void)stack_put(st, 0x10);
	(void)stack_put(st, 0);
	stack_print(st);
	fflush(stdout);
	stack_print_ddb(st);
	stack_print_short(st);
	fflush(stdout);
	stack_print_short_ddb(st);
	witness_report(st);
	CTRSTACK(KTR_LOCK, st, 0);
	CTRSTACK(KTR_LOCK, st, 1, 0);
	CTRSTACK(KTR_LOCK, st, 0, 1);
	CTRSTACK(0x10, st, 0, 1);

	copy = stack_create(M_WAITOK | M_ZERO);
	stack_copy(st, copy);
	KASSERT(same_stack(st, copy), ("not the same"));
	stack_zero(copy);
	(void)stack_put(copy, (vm_offset_t)alpha);
	(void)stack_put(copy, (vm_offset_t)beta + 1);
	while (stack_put(copy, 0xabc) == 0)
		continue;
	stack_print_short(copy);
	printf("depth %d\n", copy->depth);
	stack_destroy(copy);
	stack_destroy(st);
	stack_destroy(NULL);
}

int
main(void)
{
	static struct lock lk;
	const struct epoch_stack *es;
	pthread_t threads[3];
	lwpid_t tids[3];
	int fds[2], i, n;

	stack9_set_ddb_fd(STDOUT_FILENO);
	stack9_set_ktr(ktr_print, NULL);
	formats();

	lk.lk_name = "lock";
	lock_wanted(&lk);
	printf("%s held by %s\n", lk.lk_name, lk.lk_owner == curthread &&
	    lk.lk_owner->td_proc == curproc ? "us" : "somebody");
	print_names("acquired at", &lk.lk_stack);

	zone_check(zone_alloc(100));

	n = rounds;
	for (i = 0; i < n; i++) {
		epoch_read();
		epoch_write();
	}
	for (es = epoch_stacks; es != NULL; es = es->es_next) {
		printf("%d times ", es->es_count);
		print_names("from", &es->es_stack);
	}

	kdb_backtrace_thread(curthread);

	if (pipe(fds) != 0)
		return (1);
	for (i = 0; i < 3; i++) {
		PROC_LOCK(curproc);
		n = curproc->p_numthreads;
		PROC_UNLOCK(curproc);
		if (pthread_create(&threads[i], NULL, worker, &fds[0]) != 0)
			return (1);
		KASSERT(n == i + 1, ("threads not counted"));
	}
	PROC_LOCK(curproc);
	{
		struct thread *td;

		i = 0;
		FOREACH_THREAD_IN_PROC(curproc, td)
			if (td != curthread)
				tids[i++] = td->td_tid;
	}
	PROC_UNLOCK(curproc);
	for (i = 0; i < 3; i++)
		until_asleep(tids[i]);
	printf("%d threads\n", proc_kstacks(curproc));
	kdb_backtrace_thread(curthread);
	close(fds[1]);
	for (i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return (0);
}
