/*
 * Checks the order of locks, and prints both stacks of a reversal through 32
 * bytes.  The code is in the manner of FreeBSD's witness(4).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/cdefs.h>
__FBSDID("$FreeBSD$");

#include "opt_ddb.h"
#include "opt_stack.h"
#include "opt_witness.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/queue.h>
#include <sys/sbuf.h>
#include <sys/stack.h>
#include <machine/stdarg.h>

#ifdef DDB
#include <ddb/ddb.h>
#endif

static MALLOC_DEFINE(M_ORDER, "lockorder", "orders of locks");

struct order {
	const char		*o_first, *o_second;
	struct stack		 o_stack;	/* when it was first seen */
	SLIST_ENTRY(order)	 o_link;
};
static SLIST_HEAD(, order) orders = SLIST_HEAD_INITIALIZER(orders);

static struct mtx orders_mtx;
MTX_SYSINIT(orders, &orders_mtx, "lock orders", MTX_SPIN | MTX_NOWITNESS);

static struct mtx *held[8];
static u_int nheld;

static int
order_drain(void *arg __unused, const char *data, int len)
{

	printf("%.*s", len, data);
	return (len);
}

/* Nothing may be allocated here. */
static void
order_report(const char *what, const struct stack *st)
{
	char buf[32];
	struct sbuf sb;

	sbuf_new(&sb, buf, sizeof(buf), SBUF_FIXEDLEN);
	sbuf_set_drain(&sb, order_drain, NULL);
	sbuf_printf(&sb, "%s:\n", what);
	stack_sbuf_print_flags(&sb, st, M_NOWAIT, STACK_SBUF_FMT_LONG);
	sbuf_finish(&sb);
}

static struct order *
order_find(const char *first, const char *second)
{
	struct order *o;

	mtx_assert(&orders_mtx, MA_OWNED);
	SLIST_FOREACH(o, &orders, o_link)
		if (strcmp(o->o_first, first) == 0 &&
		    strcmp(o->o_second, second) == 0)
			return (o);
	return (NULL);
}

static void
order_check(const char *first, const char *second)
{
	struct order *o, *reverse;
	struct stack was, now;

	o = malloc(sizeof(*o), M_ORDER, M_WAITOK | M_ZERO);
	o->o_first = first;
	o->o_second = second;
	stack_save(&o->o_stack);
	stack_zero(&was);
	mtx_lock_spin(&orders_mtx);
	reverse = order_find(second, first);
	if (reverse != NULL)
		stack_copy(&reverse->o_stack, &was);
	stack_copy(&o->o_stack, &now);
	if (order_find(first, second) == NULL) {
		SLIST_INSERT_HEAD(&orders, o, o_link);
		o = NULL;
	}
	mtx_unlock_spin(&orders_mtx);
	free(o, M_ORDER);
	if (reverse == NULL)
		return;
	printf("lock order reversal: %s is held, %s is wanted\n", first,
	    second);
	order_report("the other order was", &was);
	order_report("this order is", &now);
}

static void
order_lock(struct mtx *m)
{
	u_int i;

	for (i = 0; i < nheld; i++)
		order_check(mtx_name(held[i]), mtx_name(m));
	mtx_lock(m);
	KASSERT(nheld < nitems(held), ("too many locks"));
	held[nheld++] = m;
}

static void
order_unlock(struct mtx *m)
{

	MPASS(nheld > 0 && held[nheld - 1] == m);
	nheld--;
	mtx_unlock(m);
}

static struct mtx inode_mtx, buffer_mtx;
MTX_SYSINIT(inode, &inode_mtx, "inode", MTX_DEF);
MTX_SYSINIT(buffer, &buffer_mtx, "buffer", MTX_DEF);

static void
inode_write(void)
{

	order_lock(&inode_mtx);
	order_lock(&buffer_mtx);
	order_unlock(&buffer_mtx);
	order_unlock(&inode_mtx);
}

static void
buffer_flush(void)
{

	order_lock(&buffer_mtx);
	order_lock(&inode_mtx);
	order_unlock(&inode_mtx);
	order_unlock(&buffer_mtx);
}

#ifdef DDB
DB_SHOW_COMMAND(orders, db_orders)
{
	struct order *o;

	SLIST_FOREACH(o, &orders, o_link)
		db_printf("%s before %s\n", o->o_first, o->o_second);
}
#endif

int
main(void)
{

	inode_write();
	inode_write();
	buffer_flush();
	return (0);
}
