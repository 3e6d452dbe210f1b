/*
 * Free lists in memory that programs and the process share: no lock, so that a
 * program may use them in any context, and the process without a system call.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_ASYNC_FREE_H
#define STACK9_ASYNC_FREE_H

#include "async_record.h"

/* Who cannot take one says that there is none; what cannot be given is lost. */
#define	S9_POP_TRIES	16
#define	S9_PUSH_TRIES	(1 << 16)

/* A number that was never taken; 0: there is none. */
static __always_inline __u32
s9_fresh(struct s9_free_list *f)
{
	__u64 n;

	if (f->fresh >= f->limit)
		return 0;
	n = __sync_fetch_and_add(&f->fresh, 1);
	return n < f->limit ? (__u32)n : 0;
}

/* Whether number, whose successor is next, went from the head seen. */
static __always_inline int
s9_popped(struct s9_free_list *f, __u64 head, __u64 next)
{
	return __sync_val_compare_and_swap(&f->head, head,
	    ((head >> 32) + 1) << 32 | (__u32)next) == head;
}

/* One try to put number, whose successor becomes *next, in front. */
static __always_inline int
s9_pushed(struct s9_free_list *f, __u32 number, __u64 *next)
{
	__u64 head = *(volatile __u64 *)&f->head;

	*(volatile __u64 *)next = (__u32)head;
	return __sync_val_compare_and_swap(&f->head, head,
	    ((head >> 32) + 1) << 32 | number) == head;
}

#endif /* STACK9_ASYNC_FREE_H */
