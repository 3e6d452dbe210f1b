/*
 * Finds the code that a pc is in, among what the process has mapped as far as
 * the teacher knows.  The kernel confirms each mapping before it is used, and
 * again after any change of the process's mappings.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_CODE_H
#define STACK9_LEARNED_WALK_CODE_H

#include "walk_maps.h"

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
 * A number that differs after any mmap(2), munmap(2), mprotect(2) and the like;
 * 0: one of these is under way.  It has 32 bits of the kernel's, and a program
 * takes hours for so many changes.  The plain number changes at the end of such
 * a call only, so the lock is read too.
 */
static __always_inline __u64
s9_stamp_of(struct mm_struct *mm)
{
	struct mm_struct___counted *counted = (void *)mm;
	struct mm_struct___plain *plain = (void *)mm;
	__u64 sequence;

	if (s9_has_counted()) {
		sequence = counted->mm_lock_seq.sequence;
		return sequence & 1 ? 0 : sequence | 1ULL << 32;
	}
	if (s9_has_plain() && !(mm->mmap_lock.count.counter & S9_RWSEM_WRITER))
		return (__u64)plain->mm_lock_seq | 1ULL << 32;
	return 0;
}

struct s9_confirming {
	struct s9_code	*code;
	__u64		stamp;		/* 0: it is not mapped so */
};

static __always_inline int
s9_is_unchanged(struct inode *inode, const struct s9_code *code)
{
	struct inode___old *old = (void *)inode;
	__u64 s;
	__u64 ns;

	if (bpf_core_field_exists(inode->i_mtime_sec)) {
		s = inode->i_mtime_sec;
		ns = inode->i_mtime_nsec;
	} else if (bpf_core_field_exists(old->__i_mtime)) {
		s = old->__i_mtime.tv_sec;
		ns = old->__i_mtime.tv_nsec;
	} else {
		s = old->i_mtime.tv_sec;
		ns = old->i_mtime.tv_nsec;
	}
	return s == code->changed_s && ns == code->changed_ns &&
	    inode->i_size == code->bytes;
}

/* The kernel holds the lock of the mappings during this call, so the stamp
 * belongs to what is seen. */
static long
s9_confirm_mapping(struct task_struct *p, struct vm_area_struct *vma,
    struct s9_confirming *x)
{
	struct s9_code *code = x->code;
	struct inode *inode;

	if (code == NULL || vma->vm_start != code->start ||
	    vma->vm_end - vma->vm_start != code->size ||
	    vma->vm_pgoff != code->page || !(vma->vm_flags & S9_VM_EXEC) ||
	    vma->vm_file == NULL)
		return 0;
	inode = vma->vm_file->f_inode;
	if (inode->i_ino != code->inode ||
	    inode->i_sb->s_dev != code->device ||
	    !s9_is_unchanged(inode, code))
		return 0;
	x->stamp = s9_stamp_of(p->mm);
	return 0;
}

/* How it ended: S9_WALK_WHOLE if the code is mapped as the list says. */
static __always_inline __u32
s9_confirm(struct task_struct *p, struct s9_mapped *m, struct s9_code *code)
{
	struct s9_confirming x = {code, 0};
	long error = bpf_find_vma(p, code->start, s9_confirm_mapping, &x, 0);

	if (error == -2 || (error == 0 && x.stamp == 0)) {	/* ENOENT */
		m->stale = 1;
		return S9_WALK_STALE;
	}
	if (error != 0)
		return S9_WALK_BUSY;
	code->stamp = x.stamp;
	return S9_WALK_WHOLE;
}

/* It is in memory, where the verifier does not follow each value of it. */
#define	s9_index(w)	(*(volatile __u32 *)&(w)->index)

/* Makes the code at this address that of the walk.  How it ended: S9_WALK_WHOLE
 * if it is known. */
static __noinline __u32
s9_enter_code(struct task_struct *p, struct s9_mapped *m, struct s9_walker *w,
    __u64 at)
{
	struct s9_code *code;
	__u32 how;

	s9_index(w) = 0;
#pragma unroll
	for (__u32 step = S9_MOST_CODE / 2; step > 0; step /= 2) {
		__u32 next = (s9_index(w) + step) & (S9_MOST_CODE - 1);

		if (next < m->count && m->code[next].start <= at)
			s9_index(w) = next;
	}
	code = &m->code[s9_index(w) & (S9_MOST_CODE - 1)];
	if (at - code->start >= code->size)
		return S9_WALK_NEW_CODE;
	if (code->stamp != w->stamp) {
		how = s9_confirm(p, m, code);
		if (how != S9_WALK_WHOLE)
			return how;
	}
	w->start = code->start;
	w->size = code->size;
	w->key = code->key;
	return S9_WALK_WHOLE;
}

#endif /* STACK9_LEARNED_WALK_CODE_H */
