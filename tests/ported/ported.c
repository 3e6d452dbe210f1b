/*
 * Kernel code as FreeBSD writes it, in the manner of what calls stack(9)
 * there: it is compiled unchanged as C99 and as C++20, and what it prints is
 * compared with expected.txt.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/param.h>
#include <sys/malloc.h>
#include <sys/proc.h>
#include <sys/sbuf.h>
#define	KTR
#define	KTR_LOCK	0x00000008
#define	KTR_COMPILE	KTR_LOCK
#include <sys/stack.h>

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <stack9.h>

#define	__noinline9	__attribute__((__noinline__))
#define	KASSERT(exp, msg)	assert(exp)

struct lock;

/* C linkage, so that both languages have the same names. */
__BEGIN_DECLS
void	alpha(void);
void	beta(void);
void	lock_acquire(struct lock *lk);
void	lock_wanted(struct lock *lk);
void	*zone_alloc(size_t size);
void	zone_check(const void *p);
void	epoch_enter(void);
void	epoch_read(void);
void	epoch_write(void);
void	witness_report(const struct stack *st);
void	kdb_backtrace_thread(struct thread *td);
int	proc_kstacks(struct proc *p);
void	*worker(void *arg);
void	worker_wait(int fd);
__END_DECLS

/* Keeps a call from being the last instruction of its function. */
static volatile int	after;
/* Keeps a loop from being unrolled: each copy of a call is another pc. */
static volatile int	rounds = 3;

MALLOC_DEFINE(M_ZONE, "zone", "zone test");

/*
 * What kernel code prints into: a small buffer on the stack, drained to the
 * console.
 */
static int
console_drain(void *arg, const char *data, int len)
{

	(void)arg;
	(void)fwrite(data, 1, (size_t)len, stdout);
	return (len);
}

/* The names alone, and only down to main(): the C library's differ. */
static void
print_names(const char *what, const struct stack *st)
{
	struct sbuf sb;
	char *line, *next, *plus;

	printf("%s:", what);
	(void)sbuf_new(&sb, NULL, 0, SBUF_AUTOEXTEND);
	stack_sbuf_print(&sb, st);
	if (sbuf_finish(&sb) != 0) {
		printf(" sbuf error\n");
		return;
	}
	for (line = sbuf_data(&sb); line != NULL && *line != '\0';
	    line = next) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		KASSERT(*line == '#', ("not a frame"));
		line = strstr(line, " at ") + 4;
		plus = strchr(line, '+');
		*plus = '\0';
		printf(" %s", line);
		if (strcmp(line, "main") == 0)
			break;
	}
	printf("\n");
	sbuf_delete(&sb);
}

/*
 * A lock that remembers who has it: struct stack embedded, saved under the
 * thread lock.
 */
struct lock {
	const char	*lk_name;
	struct thread	*lk_owner;
	struct stack	 lk_stack;
};

__noinline9 void
lock_acquire(struct lock *lk)
{

	thread_lock(curthread);
	THREAD_LOCK_ASSERT(curthread, MA_OWNED);
	lk->lk_owner = curthread;
	stack_save(&lk->lk_stack);
	thread_unlock(curthread);
	after = 1;
}

__noinline9 void
lock_wanted(struct lock *lk)
{

	lock_acquire(lk);
	after = 1;
}

/*
 * An allocator that puts a header with the allocation's stack before each
 * piece, the struct not aligned and copied bytewise.
 */
struct zone_header {
	size_t		zh_size;
	struct stack	zh_stack;
};

__noinline9 void *
zone_alloc(size_t size)
{
	struct zone_header zh;
	char *p;

	p = (char *)malloc(sizeof(zh) + size + 1);
	zh.zh_size = size;
	stack_save(&zh.zh_stack);
	memcpy(p + 1, &zh, sizeof(zh));
	after = 1;
	return (p + 1 + sizeof(zh));
}

__noinline9 void
zone_check(const void *p)
{
	struct zone_header zh;
	struct stack st;

	memcpy(&zh, (const char *)p - sizeof(zh), sizeof(zh));
	printf("%s: %zu bytes\n", M_ZONE->ks_shortdesc, zh.zh_size);
	print_names("allocated at", &zh.zh_stack);
	stack_save(&st);
	print_names("checked at", &st);
}

/*
 * Report each distinct stack once: known by its program counters.
 */
struct epoch_stack {
	struct epoch_stack	*es_next;
	struct stack		 es_stack;
	int			 es_count;
};
static struct epoch_stack *epoch_stacks;

static int
same_stack(const struct stack *a, const struct stack *b)
{

	return (a->depth == b->depth && memcmp(a->pcs, b->pcs,
	    (size_t)a->depth * sizeof(a->pcs[0])) == 0);
}

__noinline9 void
epoch_enter(void)
{
	struct epoch_stack *es;
	struct stack st;

	stack_zero(&st);
	stack_save(&st);
	for (es = epoch_stacks; es != NULL; es = es->es_next)
		if (same_stack(&es->es_stack, &st)) {
			es->es_count++;
			return;
		}
	es = (struct epoch_stack *)calloc(1, sizeof(*es));
	stack_copy(&st, &es->es_stack);
	es->es_count = 1;
	es->es_next = epoch_stacks;
	epoch_stacks = es;
}

__noinline9 void
epoch_read(void)
{

	epoch_enter();
	after = 1;
}

__noinline9 void
epoch_write(void)
{

	epoch_enter();
	after = 1;
	epoch_enter();
	after = 1;
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
