/*
 * Uses the headers, macros, memory, locks and console of FreeBSD's files, and
 * asserts what they do here; the other idioms are in the files beside
 * it.  It compiles as C and as C++20.
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

#include "idioms.h"

CTASSERT(sizeof(struct kinfo_kstack) == 1096);
CTASSERT(nitems(((struct stack *)0)->pcs) == STACK_MAX);

static MALLOC_DEFINE(M_IDIOM, "idiom", "idioms of FreeBSD's files");

static const char * __read_mostly greeting = "hello";
static int __aligned(CACHE_LINE_SIZE) on_a_line;
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
	MUST((uintptr_t)&on_a_line % CACHE_LINE_SIZE == 0);
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
	locks_and_conditions();
	counts();
	bytes();
	switches();
	print = printf;
	(void)(*print)("%s %b\n", "all of them,", 3, "\20\1RUN\2WAIT");
	report("line %d\n", 2);
	others();
	return (0);
}
