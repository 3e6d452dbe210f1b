/*
 * Finds out whether a process has mapped or unmapped anything since.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_STAMP_H
#define STACK9_LEARNED_WALK_STAMP_H

#include "kernel_types.h"

static __always_inline int
s9_has_counted(void)
{
	struct mm_struct___counted *counted = NULL;

	return bpf_core_field_exists(counted->mm_lock_seq.sequence);
}

/* A real-time kernel has another lock. */
static __always_inline int
s9_has_plain(void)
{
	struct mm_struct___plain *plain = NULL;
	struct mm_struct *mm = NULL;

	return bpf_core_field_exists(plain->mm_lock_seq) &&
	    bpf_core_field_exists(mm->mmap_lock.count.counter);
}

static __always_inline int
s9_has_witness(void)
{
	return s9_has_counted() || s9_has_plain();
}

#define	S9_RWSEM_WRITER	1	/* kernel/locking/rwsem.c */

/*
 * A number that differs after any mmap(2), munmap(2), mprotect(2) and the like.
 * It has 32 bits of the kernel's, and a program takes hours for so many
 * changes.  changing: such a call is under way, and the number is that of
 * before.  No code that it maps runs before it is over.
 */
static __always_inline __u64
s9_stamp_of(struct mm_struct *mm, __u32 *changing)
{
	struct mm_struct___counted *counted = (void *)mm;
	struct mm_struct___plain *plain = (void *)mm;
	__u64 sequence = 0;

	*changing = 0;
	if (s9_has_counted()) {
		sequence = counted->mm_lock_seq.sequence;
		*changing = sequence & 1;
		sequence &= ~1ULL;
	} else if (s9_has_plain()) {
		/* It changes at the end of such a call only. */
		*changing = mm->mmap_lock.count.counter & S9_RWSEM_WRITER;
		sequence = plain->mm_lock_seq;
	}
	return sequence | 1ULL << 32;
}

#endif /* STACK9_LEARNED_WALK_STAMP_H */
