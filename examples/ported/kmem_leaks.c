/*
 * Lists what was allocated and not freed, with the stack of each allocation,
 * when the program ends.  The code is in the manner of FreeBSD's
 * opensolaris_kmem.c with KMEM_DEBUG.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/cdefs.h>
__FBSDID("$FreeBSD$");

#include <sys/types.h>
#include <sys/param.h>
#include <sys/kernel.h>
#include <sys/systm.h>
#include <sys/malloc.h>
#include <sys/kmem.h>
#include <sys/debug.h>
#include <sys/mutex.h>
#include <sys/vmmeter.h>

#include <vm/vm_page.h>
#include <vm/vm_object.h>
#include <vm/vm_kern.h>
#include <vm/vm_map.h>

#include <sys/queue.h>
#include <sys/stack.h>

MALLOC_DEFINE(M_SOLARIS, "solaris", "Solaris");

struct kmem_item {
	struct stack		ki_stack;
	size_t			ki_size;
	LIST_ENTRY(kmem_item)	ki_link;
};
static LIST_HEAD(, kmem_item) kmem_items;
static struct mtx kmem_lock;
MTX_SYSINIT(kmem_items, &kmem_lock, "kmem items", MTX_DEF);

void *
zfs_kmem_alloc(size_t size, int flags)
{
	struct kmem_item *i;

	i = malloc(sizeof(*i) + size, M_SOLARIS, flags);
	if (i == NULL)
		return (NULL);
	i->ki_size = size;
	stack_save(&i->ki_stack);
	mtx_lock(&kmem_lock);
	LIST_INSERT_HEAD(&kmem_items, i, ki_link);
	mtx_unlock(&kmem_lock);
	return (i + 1);
}

void
zfs_kmem_free(void *p, size_t size __unused)
{
	struct kmem_item *i, *next;
	boolean_t found;

	if (p == NULL) {
		printf("%s: NULL\n", __func__);
		return;
	}
	found = 0;
	mtx_lock(&kmem_lock);
	LIST_FOREACH_SAFE(i, &kmem_items, ki_link, next)
		if (i + 1 == (struct kmem_item *)p) {
			LIST_REMOVE(i, ki_link);
			free(i, M_SOLARIS);
			found = 1;
		}
	mtx_unlock(&kmem_lock);
	VERIFY(found);
}

static uint64_t kmem_limit;

static void
kmem_limit_init(void *unused __unused)
{

	kmem_limit = (uint64_t)vm_cnt.v_page_count * PAGE_SIZE;
	if (kmem_limit > vm_kmem_size)
		kmem_limit = vm_kmem_size;
}
SYSINIT(kmem_limit, SI_SUB_KMEM, SI_ORDER_ANY, kmem_limit_init, NULL);

static void
kmem_show(void *dummy __unused)
{
	struct kmem_item *i;

	mtx_lock(&kmem_lock);
	if (LIST_EMPTY(&kmem_items))
		printf("kmem: nothing is left\n");
	LIST_FOREACH(i, &kmem_items, ki_link) {
		printf("kmem: %zu bytes at %p are left\n", i->ki_size, i + 1);
		stack_print_ddb(&i->ki_stack);
	}
	mtx_unlock(&kmem_lock);
}
SYSUNINIT(kmem_show, SI_SUB_CPU, SI_ORDER_FIRST, kmem_show, NULL);

static void *
open_pool(void)
{

	return (kmem_zalloc(64, KM_SLEEP));
}

static void *
open_device(void)
{

	return (kmem_alloc(32, KM_NOSLEEP));
}

int
main(void)
{
	char *pool, *again;

	pool = open_pool();
	ASSERT(pool[63] == 0);
	(void)open_device();
	again = open_pool();
	kmem_free(pool, 64);
	kmem_free(NULL, 0);
	printf("limit is %s\n", kmem_limit > 0 && again != NULL ? "known" :
	    "not known");
	return (0);
}
