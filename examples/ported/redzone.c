/*
 * Guards allocations: each has a fence on both sides and remembers who asked
 * for it.  The code is in the manner of FreeBSD's redzone(9).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/cdefs.h>
__FBSDID("$FreeBSD$");

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <sys/stack.h>
#include <sys/sysctl.h>

static MALLOC_DEFINE(M_FENCED, "fenced", "allocations with fences");

static SYSCTL_NODE(_vm, OID_AUTO, fence, CTLFLAG_RW, NULL,
    "Fences around allocations");
static u_long fence_bytes = 0;
SYSCTL_ULONG(_vm_fence, OID_AUTO, bytes, CTLFLAG_RD, &fence_bytes, 0,
    "Memory that fences take");
static int fence_panic = 0;
SYSCTL_INT(_vm_fence, OID_AUTO, panic, CTLFLAG_RWTUN, &fence_panic, 0,
    "Panic when a fence is damaged");

#define	FENCE_SIZE	16
#define	FENCE_BYTE	0xa7

/* It is copied bytewise: the memory need not be aligned. */
struct fence_header {
	struct stack	fh_stack;
	u_long		fh_size;
	u_char		fh_fence[FENCE_SIZE];
};
CTASSERT(sizeof(struct fence_header) < PAGE_SIZE);

static caddr_t
fence_alloc(u_long size)
{
	struct fence_header fh;
	caddr_t p;

	p = malloc(sizeof(fh) + size + FENCE_SIZE, M_FENCED, M_WAITOK);
	atomic_add_long(&fence_bytes, sizeof(fh) + FENCE_SIZE);
	stack_save(&fh.fh_stack);
	fh.fh_size = size;
	memset(fh.fh_fence, FENCE_BYTE, sizeof(fh.fh_fence));
	bcopy(&fh, p, sizeof(fh));
	p += sizeof(fh);
	memset(p + size, FENCE_BYTE, FENCE_SIZE);
	return (p);
}

static u_int
fence_damage(const u_char *fence)
{
	u_int bad, i;

	bad = 0;
	for (i = 0; i < FENCE_SIZE; i++)
		if (__predict_false(fence[i] != FENCE_BYTE))
			bad++;
	return (bad);
}

static void
fence_report(const char *side, u_int bad, const struct fence_header *fh)
{
	struct stack st;

	if (bad == 0)
		return;
	printf("fence: %u byte%s %s %lu allocated ones changed\n", bad,
	    bad == 1 ? "" : "s", side, fh->fh_size);
	printf("allocated by:\n");
	stack_print_ddb(&fh->fh_stack);
	printf("freed by:\n");
	stack_save(&st);
	stack_print_ddb(&st);
	if (fence_panic)
		panic("a fence is damaged");
}

static void
fence_free(caddr_t p)
{
	struct fence_header fh;

	bcopy(p - sizeof(fh), &fh, sizeof(fh));
	atomic_subtract_long(&fence_bytes, sizeof(fh) + FENCE_SIZE);
	fence_report("before", fence_damage(fh.fh_fence), &fh);
	fence_report("after", fence_damage((u_char *)p + fh.fh_size), &fh);
	free(p - sizeof(fh), M_FENCED);
}

static void
fence_test(void *arg __unused)
{
	caddr_t p;

	p = fence_alloc(100);
	memset(p, 0, 100);
	fence_free(p);
	p = fence_alloc(100);
	memset(p, 0, 101);
	fence_free(p);
	p = fence_alloc(7);
	memset(p - 2, 0, 9);
	fence_free(p);
	printf("fences take %lu bytes\n", fence_bytes);
}
SYSINIT(fence_test, SI_SUB_KICK_SCHEDULER, SI_ORDER_ANY, fence_test, NULL);

int
main(void)
{

	return (0);
}
