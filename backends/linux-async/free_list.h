/*
 * Implements free lists in memory that programs and the process share.  They
 * have no lock, so a program may use them in any context, and the process
 * without a system call.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_ASYNC_FREE_H
#define STACK9_ASYNC_FREE_H

#include "async_record.h"

/* After so many tries to pop, the list counts as empty; after so many tries to
 * push, the number is lost. */
#define	S9_POP_TRIES	16
#define	S9_PUSH_TRIES	(1 << 16)

/* A number that was never allocated; 0: there is none. */
static __always_inline __u32
s9_fresh(struct s9_free_list *f)
{
	__u64 n;

	if (f->fresh >= f->limit)
		return 0;
	n = __sync_fetch_and_add(&f->fresh, 1);
	return n < f->limit ? (__u32)n : 0;
}

/* Tries to pop the first number, whose successor is next, from the head seen.
 */
static __always_inline int
s9_popped(struct s9_free_list *f, __u64 head, __u64 next)
{
	return __sync_val_compare_and_swap(&f->head, head,
	    ((head >> 32) + 1) << 32 | (__u32)next) == head;
}

/* Tries once to push number; its successor goes into *next. */
static __always_inline int
s9_pushed(struct s9_free_list *f, __u32 number, __u64 *next)
{
	__u64 head = *(volatile __u64 *)&f->head;

	*(volatile __u64 *)next = (__u32)head;
	return __sync_val_compare_and_swap(&f->head, head,
	    ((head >> 32) + 1) << 32 | number) == head;
}

#endif /* STACK9_ASYNC_FREE_H */
