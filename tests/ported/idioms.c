/*
 * Uses each idiom of FreeBSD's files that the kit offers, and asserts what it
 * does here.  It compiles as C and as C++20, and prints on the console.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/cdefs.h>
__FBSDID("$FreeBSD$");

#include "opt_ddb.h"
#include "opt_kdb.h"
#include "opt_ktr.h"
#include "opt_stack.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/cons.h>
#include <sys/ctype.h>
#include <sys/kdb.h>
#include <sys/kernel.h>
#include <sys/ktr.h>
#include <sys/limits.h>
#include <sys/linker_set.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/module.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/queue.h>
#include <sys/sbuf.h>
#include <sys/sched.h>
#include <sys/sdt.h>
#include <sys/signalvar.h>
#include <sys/sleepqueue.h>
#include <sys/smp.h>
#include <sys/stack.h>
#include <sys/sx.h>
#include <sys/sysctl.h>
#include <sys/time.h>
#include <sys/tree.h>
#include <sys/uio.h>
#include <sys/user.h>

#include <machine/atomic.h>
#include <machine/stdarg.h>

#include <vm/vm.h>
#include <vm/pmap.h>
#include <vm/vm_extern.h>
#include <vm/vm_kern.h>
#include <vm/vm_map.h>
#include <vm/uma.h>

#include <ddb/ddb.h>

#define	MUST(exp) do {							\
	if (!(exp))							\
		panic("line %d: %s", __LINE__, #exp);			\
} while (0)

CTASSERT(sizeof(struct kinfo_kstack) == 1096);
CTASSERT(nitems(((struct stack *)0)->pcs) == STACK_MAX);

static MALLOC_DEFINE(M_IDIOM, "idiom", "idioms of FreeBSD's files");

static const char * __read_mostly greeting = "hello";
static int __aligned(CACHE_LINE_SIZE) counted;
struct packed {
	char	a;
	long	b;
} __packed;
CTASSERT(sizeof(struct packed) == 1 + sizeof(long));

static void report(const char *fmt, ...) __printflike(1, 2);

static void
report(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
}

static void
macros(void *unused __unused)
{
	const char *text;
	char small[8], *p;

	p = __DECONST(char *, greeting);
	MUST(p == greeting && howmany(9, 8) == 2 && rounddown(9, 8) == 8);
	MUST(roundup2(9, 8) == 16 && rounddown2(9, 8) == 8 && powerof2(8));
	MUST((long)round_page(1) == PAGE_SIZE && trunc_page(PAGE_SIZE + 1) ==
	    (unsigned long)PAGE_SIZE);
	MUST(strlcpy(small, "0123456789", sizeof(small)) == 10);
	MUST(strcmp(small, "0123456") == 0);
	MUST(strlcat(small, "x", sizeof(small)) == 8);
	bzero(small, sizeof(small));
	bcopy("abc", small, 3);
	MUST(strcmp(small, "abc") == 0 && bcmp(small, "abc", 3) == 0);
	KASSERT(small[0] == 'a', ("it is %c", small[0]));
	MPASS(small[1] == 'b');
	text = __XSTRING(STACK_MAX);
	MUST(__predict_true(strcmp(text, "18") == 0));
	MUST(cold == 0 && panicstr == NULL && !KERNEL_PANICKED());
	critical_enter();
	critical_exit();
	sched_pin();
	sched_unpin();
	MUST(UQUAD_MAX == ULLONG_MAX && mp_ncpus >= 1 && curcpu < MAXCPU);
	MUST(PCPU_GET(curthread) == curthread);
}

static void
memory(void)
{
	char *p;
	u_char *bytes;
	void *plain;
	uma_zone_t zone;
	u_long size;

	size = 100;
	p = (char *)malloc(size, M_IDIOM, M_WAITOK | M_ZERO);
	MUST(p[0] == 0 && p[99] == 0);
	p = (char *)realloc(p, 200, M_IDIOM, M_NOWAIT);
	MUST(p != NULL && p[99] == 0);
	free(p, M_IDIOM);
	plain = malloc(size);
	plain = realloc(plain, 2 * size);
	free(plain);
	free(NULL, M_TEMP);
	p = strdup("a text", M_IDIOM);
	MUST(strcmp(p, "a text") == 0);
	free(p, M_IDIOM);
	bytes = (u_char *)malloc(0, M_TEMP, M_WAITOK);
	MUST(bytes != NULL);
	free(bytes, M_TEMP);
	MUST(mallocarray(SIZE_MAX, 2, M_TEMP, M_NOWAIT) == NULL);
	MUST(malloc(SIZE_MAX / 2, M_DEVBUF, M_NOWAIT) == NULL);
	MUST(strcmp(M_IDIOM->ks_shortdesc, "idiom") == 0);
	zone = uma_zcreate("idiom", 32, NULL, NULL, NULL, NULL, UMA_ALIGN_PTR,
	    UMA_ZONE_ZINIT);
	p = (char *)uma_zalloc(zone, M_WAITOK);
	MUST(p[31] == 0);
	uma_zfree(zone, p);
	uma_zdestroy(zone);
	MUST(vm_cnt.v_page_count > 0 && vm_kmem_size > 0);
}

static void
atomics(void)
{
	static u_int word;
	static u_long wide;
	u_int was;

	atomic_add_int(&word, 5);
	atomic_subtract_int(&word, 2);
	MUST(atomic_load_acq_int(&word) == 3);
	MUST(atomic_fetchadd_int(&word, 1) == 3);
	MUST(atomic_cmpset_int(&word, 4, 7) && !atomic_cmpset_int(&word, 4, 8));
	was = 7;
	MUST(atomic_fcmpset_int(&word, &was, 9));
	atomic_set_long(&wide, 6);
	atomic_clear_long(&wide, 2);
	MUST(atomic_readandclear_long(&wide) == 4 && wide == 0);
	atomic_store_rel_long(&wide, 1);
	MUST(atomic_swap_long(&wide, 2) == 1);
	atomic_add_acq_long(&wide, 1);
	atomic_thread_fence_seq_cst();
}

struct node {
	RB_ENTRY(node)		n_tree;
	TAILQ_ENTRY(node)	n_tail;
	LIST_ENTRY(node)	n_list;
	SLIST_ENTRY(node)	n_single;
	STAILQ_ENTRY(node)	n_queue;
	u_int			n_key;
};

static int
node_compare(struct node *a, struct node *b)
{

	return (a->n_key < b->n_key ? -1 : a->n_key > b->n_key);
}

static RB_HEAD(nodes, node) tree = RB_INITIALIZER(&tree);
RB_PROTOTYPE_STATIC(nodes, node, n_tree, node_compare)
RB_GENERATE_STATIC(nodes, node, n_tree, node_compare)

/* Returns the number of black nodes on each way down; a tree that is not
 * balanced or not in order panics. */
static int
check_tree(struct stack9_rb *n, struct stack9_rb *parent)
{
	int left, right;

	if (n == NULL)
		return (1);
	MUST(n->parent == parent);
	MUST(!n->red || parent != NULL);
	MUST(!n->red || ((n->child[0] == NULL || !n->child[0]->red) &&
	    (n->child[1] == NULL || !n->child[1]->red)));
	left = check_tree(n->child[0], n);
	right = check_tree(n->child[1], n);
	MUST(left == right);
	return (left + !n->red);
}

static void
trees(void)
{
	static struct node all[512];
	static u_char in[512];
	struct node key, *n, *next;
	u_int i, random, round, count;

	random = 1;
	count = 0;
	for (i = 0; i < nitems(all); i++)
		all[i].n_key = 2 * i;
	for (round = 0; round < 20000; round++) {
		random = random * 1103515245 + 12345;
		i = (random >> 8) % nitems(all);
		if (in[i]) {
			MUST(RB_REMOVE(nodes, &tree, &all[i]) == &all[i]);
			count--;
		} else {
			MUST(RB_INSERT(nodes, &tree, &all[i]) == NULL);
			MUST(RB_INSERT(nodes, &tree, &all[i]) == &all[i]);
			count++;
		}
		in[i] = !in[i];
		key.n_key = 2 * i;
		MUST((RB_FIND(nodes, &tree, &key) != NULL) == in[i]);
		if (round % 64 == 0)
			(void)check_tree(tree.rbh_root, NULL);
	}
	i = 0;
	RB_FOREACH(n, nodes, &tree) {
		MUST(in[n->n_key / 2]);
		next = RB_NEXT(nodes, &tree, n);
		MUST(next == NULL || (next->n_key > n->n_key &&
		    RB_PREV(nodes, &tree, next) == n));
		key.n_key = n->n_key + 1;
		MUST(RB_NFIND(nodes, &tree, &key) == next);
		i++;
	}
	MUST(i == count);
	RB_FOREACH_REVERSE(n, nodes, &tree)
		i--;
	MUST(i == 0 && RB_MIN(nodes, &tree) != RB_MAX(nodes, &tree));
	RB_FOREACH_SAFE(n, nodes, &tree, next)
		RB_REMOVE(nodes, &tree, n);
	MUST(RB_EMPTY(&tree));
}

static TAILQ_HEAD(, node) tail = TAILQ_HEAD_INITIALIZER(tail);
static LIST_HEAD(, node) list = LIST_HEAD_INITIALIZER(list);
static SLIST_HEAD(, node) single = SLIST_HEAD_INITIALIZER(single);
static STAILQ_HEAD(, node) queue = STAILQ_HEAD_INITIALIZER(queue);

static void
queues(void)
{
	static struct node all[4];
	struct node *n, *next;
	u_int i;

	for (i = 0; i < nitems(all); i++) {
		TAILQ_INSERT_TAIL(&tail, &all[i], n_tail);
		LIST_INSERT_HEAD(&list, &all[i], n_list);
		SLIST_INSERT_HEAD(&single, &all[i], n_single);
		STAILQ_INSERT_TAIL(&queue, &all[i], n_queue);
	}
	TAILQ_FOREACH_SAFE(n, &tail, n_tail, next)
		TAILQ_REMOVE(&tail, n, n_tail);
	LIST_FOREACH_SAFE(n, &list, n_list, next)
		LIST_REMOVE(n, n_list);
	MUST(STAILQ_LAST(&queue, node, n_queue) == &all[3]);
	STAILQ_FOREACH_SAFE(n, &queue, n_queue, next)
		STAILQ_REMOVE_HEAD(&queue, n_queue);
	SLIST_FOREACH_SAFE(n, &single, n_single, next)
		SLIST_REMOVE_HEAD(&single, n_single);
	MUST(TAILQ_EMPTY(&tail) && LIST_EMPTY(&list) && STAILQ_EMPTY(&queue) &&
	    SLIST_EMPTY(&single));
}

static struct mtx mutex;
MTX_SYSINIT(mutex, &mutex, "a mutex", MTX_DEF | MTX_RECURSE);
static struct sx shared;
SX_SYSINIT(shared, &shared, "an sx");

static void
locks(void)
{

	MUST(mtx_initialized(&mutex));
	MUST(strcmp(mtx_name(&mutex), "a mutex") == 0);
	mtx_lock(&mutex);
	mtx_lock(&mutex);
	mtx_assert(&mutex, MA_OWNED | MA_RECURSED);
	mtx_unlock(&mutex);
	MUST(mtx_owned(&mutex) && !mtx_recursed(&mutex));
	mtx_unlock(&mutex);
	mtx_assert(&mutex, MA_NOTOWNED);
	MUST(mtx_trylock(&mutex));
	mtx_unlock(&mutex);
	sx_slock(&shared);
	sx_slock(&shared);
	MUST(!sx_try_xlock(&shared));
	sx_sunlock(&shared);
	sx_unlock(&shared);
	sx_xlock(&shared);
	sx_assert(&shared, SA_XLOCKED);
	MUST(sx_xlocked(&shared) && !sx_try_slock(&shared));
	sx_xunlock(&shared);
}

static SYSCTL_NODE(_debug, OID_AUTO, idiom, CTLFLAG_RW, NULL, "idioms");
SYSCTL_DECL(_debug_idiom);
SYSCTL_INT(_debug_idiom, OID_AUTO, counted, CTLFLAG_RWTUN, &counted, 0,
    "a number");
SYSCTL_STRING(_debug_idiom, OID_AUTO, greeting, CTLFLAG_RD, "hello", 0,
    "a text");

static bool whether;
SYSCTL_BOOL(_debug_idiom, OID_AUTO, whether, CTLFLAG_RWTUN, &whether, 0,
    "a bool");
static uint16_t word;
SYSCTL_U16(_debug_idiom, OID_AUTO, word, CTLFLAG_RW, &word, 0, "16 bits");
SYSCTL_U8(_debug_idiom, OID_AUTO, constant, CTLFLAG_RW, NULL, 9, "a constant");
FEATURE(idiom, "kern.features.idiom");

/* An integer of fewer bits than int is read and written as it is. */
static void
small_sysctls(void)
{
	uint8_t byte, five;
	uint16_t half;
	size_t len;
	int is;

	five = 5;
	len = sizeof(byte);
	MUST(sysctlbyname("debug.idiom.whether", &byte, &len, &five, 1) == 0);
	MUST(byte == 0 && len == 1 && whether);
	MUST(*(uint8_t *)&whether == 1);
	half = 0x1234;
	len = sizeof(half);
	MUST(sysctlbyname("debug.idiom.word", NULL, NULL, &half, 2) == 0);
	MUST(sysctlbyname("debug.idiom.word", &half, &len, NULL, 0) == 0);
	MUST(len == 2 && half == 0x1234 && word == 0x1234);
	MUST(sysctlbyname("debug.idiom.word", NULL, NULL, &byte, 1) == -1 &&
	    errno == EINVAL);
	len = sizeof(byte);
	MUST(sysctlbyname("debug.idiom.constant", &byte, &len, NULL, 0) == 0 &&
	    byte == 9);
	MUST(sysctlbyname("debug.idiom.constant", NULL, NULL, &byte, 1) ==
	    -1 && errno == EPERM);
	len = sizeof(is);
	MUST(sysctlbyname("kern.features.idiom", &is, &len, NULL, 0) == 0 &&
	    is == 1);
}

struct collected {
	int	c_value;
};
SET_DECLARE(idiom_set, struct collected);
static struct collected first = { 1 }, second = { 20 };
DATA_SET(idiom_set, first);
DATA_SET(idiom_set, second);

SDT_PROVIDER_DEFINE(idiom);
SDT_PROBE_DEFINE2(idiom, , , fired, "int", "char *");

static void
others(void)
{
	struct collected **c;
	struct timeval from, to;
	char words[] = "two words", *rest = words;
	int sum;

	sum = 0;
	SET_FOREACH(c, idiom_set)
		sum += (*c)->c_value;
	MUST(sum == 21 && SET_COUNT(idiom_set) == 2);
	SDT_PROBE2(idiom, , , fired, sum, "x");
	MUST(isdigit('7') && !isdigit('x'));
	microuptime(&from);
	microuptime(&to);
	MUST(timercmp(&from, &to, <=));
	from.tv_sec = to.tv_sec = 7;
	from.tv_usec = 600000;
	to.tv_usec = 500000;
	timevalsub(&to, &from);
	MUST(to.tv_sec == -1 && to.tv_usec == 900000);
	timevaladd(&to, &from);
	MUST(to.tv_sec == 7 && to.tv_usec == 500000);
	MUST(strcmp(strsep(&rest, " "), "two") == 0);	/* in strict C, too */
	cnputc('c');
	cnputsn("onsoleXXX", 6);
	cnputs("\n");
}

static int
sysctl_text(SYSCTL_HANDLER_ARGS)
{
	struct sbuf sb;
	char small[4];
	int error;

	error = sysctl_wire_old_buffer(req, 0);
	if (error != 0)
		return (error);
	sbuf_new_for_sysctl(&sb, small, sizeof(small), req);
	sbuf_printf(&sb, "a text of %d bytes", 18);
	error = sbuf_finish(&sb);
	sbuf_delete(&sb);
	return (error);
}
SYSCTL_PROC(_debug_idiom, OID_AUTO, text, CTLTYPE_STRING | CTLFLAG_RD |
    CTLFLAG_MPSAFE, NULL, 0, sysctl_text, "A", "a text by a handler");

static void
sysctls(void)
{
	char text[32];
	size_t len, count;
	int mib[4], value, to;

	len = sizeof(text);
	MUST(sysctlbyname("debug.idiom.text", text, &len, NULL, 0) == 0);
	MUST(len == 18 && memcmp(text, "a text of 18 bytes", len) == 0);
	len = 4;
	MUST(sysctlbyname("debug.idiom.text", text, &len, NULL, 0) == -1 &&
	    errno == ENOMEM && len == 4);
	count = nitems(mib);
	MUST(sysctlnametomib("debug.idiom.counted", mib, &count) == 0);
	MUST(count == 3 && mib[0] == CTL_DEBUG);
	to = 42;
	len = sizeof(value);
	MUST(sysctl(mib, count, &value, &len, &to, sizeof(to)) == 0);
	MUST(value == 0 && counted == 42 && len == sizeof(value));
	MUST(sysctlbyname("debug.idiom.greeting", NULL, &len, NULL, 0) == 0);
	MUST(len == 6);
	MUST(sysctlbyname("debug.idiom.greeting", NULL, NULL, "x", 1) == -1 &&
	    errno == EPERM);
	MUST(sysctlbyname("debug.no.such", NULL, &len, NULL, 0) == -1 &&
	    errno == ENOENT);
	MUST(sysctlbyname("debug.idiom", NULL, &len, NULL, 0) == -1 &&
	    errno == EISDIR);
}

static void
copies(void)
{
	char text[16], parts[2][3];
	struct iovec iov[2];
	struct sbuf *sb;
	struct uio uio;
	int error;

	sb = sbuf_new_auto();
	MUST(sbuf_bcopyin(sb, "abcdef", 3) == 0);
	MUST(sbuf_copyin(sb, "ghi", 0) == 4);
	MUST(sbuf_copyin(sb, (const void *)16, 0) == -1);
	MUST(sbuf_bcopyin(sb, (const void *)16, 1) == -1);
	MUST(sbuf_error(sb) == 0 && sbuf_copyin(sb, "jklm", 2) == 3);
	MUST(sbuf_finish(sb) == ENOMEM);
	MUST(strcmp(sbuf_data(sb), "abcghijk") == 0);
	sbuf_delete(sb);
	MUST(copyin("abc", text, 4) == 0 && strcmp(text, "abc") == 0);
	MUST(copyout(text, (void *)16, 4) == EFAULT);
	memcpy(parts[0], "ab", 3);
	memcpy(parts[1], "cd", 3);
	bzero(&uio, sizeof(uio));
	iov[0].iov_base = parts[0];
	iov[1].iov_base = parts[1];
	iov[0].iov_len = iov[1].iov_len = 2;
	uio.uio_iov = iov;
	uio.uio_iovcnt = 2;
	uio.uio_resid = 4;
	uio.uio_segflg = UIO_USERSPACE;
	uio.uio_rw = UIO_WRITE;
	sb = sbuf_uionew(NULL, &uio, &error);
	MUST(sb != NULL && error == 0 && uio.uio_resid == 0);
	MUST(strcmp(sbuf_data(sb), "abcd") == 0 && sbuf_done(sb));
	sbuf_delete(sb);
}

static void
processes(void)
{
	struct proc *p;
	struct thread *td, *walked;
	int count, found;

	MUST(pget(curproc->p_pid, PGET_WANTREAD, &p) == 0 && p == curproc);
	PRELE(p);
	MUST(pget(-5, PGET_CANSEE, &p) == ESRCH);
	found = 0;
	FOREACH_PROC_IN_SYSTEM(p)
		if (p->p_pid == curproc->p_pid)
			found++;
	MUST(found == 1);
	PROC_LOCK(curproc);
	count = 0;
	FOREACH_THREAD_IN_PROC(curproc, td)
		count++;
	walked = NULL;
	TAILQ_FOREACH(td, &curproc->p_threads, td_plist)
		walked = td;
	MUST(count == curproc->p_numthreads && walked != NULL);
	MUST(FIRST_THREAD_IN_PROC(curproc) == TAILQ_FIRST(&curproc->p_threads));
	PROC_UNLOCK(curproc);
	td = curthread;
	MUST(TD_IS_RUNNING(td) && !TD_IS_SLEEPING(td) && !TD_ON_RUNQ(td));
	MUST((td->td_flags & TDF_INMEM) != 0 && td->td_wmesg == NULL);
	MUST(curproc->p_state == PRS_NORMAL);
}

/* The interface of three generations. */
static void
stacks(void)
{
	struct sbuf *sb;
	struct stack st;
	struct stack *old;

	old = stack_create(M_WAITOK);
	MUST(stack_put(old, 0x10) == 0);
	sb = sbuf_new_auto();
	MUST(stack_sbuf_print_flags(sb, old, M_NOWAIT) == 0);
	MUST(stack_sbuf_print_flags(sb, old, M_WAITOK,
	    STACK_SBUF_FMT_LONG) == 0);
	stack_sbuf_print(sb, old);
	stack_sbuf_print_ddb(sb, old);
	MUST(stack_sbuf_print_flags(sb, old, M_WAITOK,
	    STACK_SBUF_FMT_COMPACT) == 0);
	sbuf_finish(sb);
	printf("%s", sbuf_data(sb));
	sbuf_delete(sb);
	stack_zero(&st);
	MUST(stack_save_td(&st, curthread) == 0 && st.depth > 0);
	CTRSTACK(KTR_GEN, old, 1);
	CTRSTACK(KTR_GEN, old, 1, 0);
	CTR3(KTR_GEN, "record %d of %s, %#lx", 1, "idioms", 0x2aL);
	stack_destroy(old);
}

DB_SHOW_COMMAND(idioms, db_show_idioms)
{

	db_printf("%ld%s\n", addr, have_addr && count > 0 ? modif : "");
}

int
main(void)
{
	int (*print)(const char *fmt, ...);

	macros(NULL);
	memory();
	atomics();
	trees();
	queues();
	locks();
	sysctls();
	small_sysctls();
	copies();
	processes();
	stacks();
	print = printf;
	(void)(*print)("%s %b\n", "all of them,", 3, "\20\1RUN\2WAIT");
	report("line %d\n", 2);
	others();
	return (0);
}
