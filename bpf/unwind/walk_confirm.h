/*
 * Asks the kernel whether code is mapped as the publisher's list says.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_CONFIRM_H
#define STACK9_LEARNED_WALK_CONFIRM_H

#include "layout.h"
#include "walk_stamp.h"

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

/* Neither anonymous memory nor a file's is at the address that the kernel gave
 * the vdso. */
static __always_inline int
s9_is_vdso(struct vm_area_struct *vma)
{
	struct mm_struct___vdso *mm = (void *)vma->vm_mm;

	return bpf_core_field_exists(mm->context.vdso) &&
	    vma->vm_file == NULL && vma->vm_ops != NULL &&
	    (__u64)mm->context.vdso == vma->vm_start;
}

static __always_inline int
s9_is_file(struct vm_area_struct *vma, const struct s9_code *code)
{
	struct inode *inode;

	if (vma->vm_file == NULL || vma->vm_pgoff != code->page)
		return 0;
	inode = vma->vm_file->f_inode;
	return inode->i_ino == code->inode &&
	    inode->i_sb->s_dev == code->device &&
	    s9_is_unchanged(inode, code);
}

/* Made code needs no mapping of its own: the kernel joins and splits them.  The
 * compiler must not compute with both pointers at once. */
static __always_inline int
s9_is_nobodys(struct vm_area_struct *vma, const struct s9_code *code)
{
	if (vma->vm_file != NULL)
		return 0;
	asm volatile("" : : : "memory");
	return vma->vm_ops == NULL && vma->vm_start <= code->start &&
	    vma->vm_end >= code->start + code->size;
}

/* The kernel holds the lock of the mappings during this call, so the stamp
 * belongs to what is seen. */
static long
s9_confirm_mapping(struct task_struct *p, struct vm_area_struct *vma,
    struct s9_confirming *x)
{
	struct s9_code *code = x->code;
	__u32 changing;
	int made = code != NULL && S9_IS_MADE(code->key);

	if (code == NULL || (!made && (vma->vm_start != code->start ||
	    vma->vm_end - vma->vm_start != code->size)) ||
	    !(vma->vm_flags & S9_VM_EXEC))
		return 0;
	if (made ? s9_is_nobodys(vma, code) :
	    code->inode != 0 ? s9_is_file(vma, code) : s9_is_vdso(vma)) {
		x->stamp = s9_stamp_of(vma->vm_mm, &changing);
		code->area = (__u64)vma;
	}
	return 0;
}

static __always_inline int
s9_is_attached(struct vm_area_struct *area)
{
	struct vm_area_struct___counted *counted = (void *)area;
	struct vm_area_struct___flagged *flagged = (void *)area;

	if (bpf_core_field_exists(counted->vm_refcnt))
		return BPF_CORE_READ(counted, vm_refcnt.refs.counter) != 0;
	return bpf_core_field_exists(flagged->detached) &&
	    !BPF_CORE_READ(flagged, detached);
}

static __always_inline int
s9_is_file_still(struct vm_area_struct *area, const struct s9_code *code)
{
	struct inode *inode = BPF_CORE_READ(area, vm_file, f_inode);
	struct inode___old *old = (void *)inode;
	__u64 s, ns;

	if (bpf_core_field_exists(inode->i_mtime_sec)) {
		s = BPF_CORE_READ(inode, i_mtime_sec);
		ns = BPF_CORE_READ(inode, i_mtime_nsec);
	} else if (bpf_core_field_exists(old->__i_mtime)) {
		s = BPF_CORE_READ(old, __i_mtime.tv_sec);
		ns = BPF_CORE_READ(old, __i_mtime.tv_nsec);
	} else {
		s = BPF_CORE_READ(old, i_mtime.tv_sec);
		ns = BPF_CORE_READ(old, i_mtime.tv_nsec);
	}
	return BPF_CORE_READ(area, vm_pgoff) == code->page &&
	    BPF_CORE_READ(inode, i_ino) == code->inode &&
	    BPF_CORE_READ(inode, i_sb, s_dev) == code->device &&
	    BPF_CORE_READ(inode, i_size) == code->bytes &&
	    s == code->changed_s && ns == code->changed_ns;
}

static __always_inline int
s9_is_vdso_still(struct vm_area_struct *area, __u64 of)
{
	struct mm_struct___vdso *mm = (void *)of;

	return bpf_core_field_exists(mm->context.vdso) &&
	    BPF_CORE_READ(area, vm_file) == NULL &&
	    BPF_CORE_READ(area, vm_ops) != NULL &&
	    (__u64)BPF_CORE_READ(mm, context.vdso) ==
	    BPF_CORE_READ(area, vm_start);
}

/*
 * True if the kernel's object that confirmed the code last confirms it now.
 * The kernel uses the memory of an object again, for another mapping perhaps,
 * so all of it is compared.  This takes no lock, where s9_confirm() may not get
 * it: while mappings change, and, with interrupts disabled, for the second time
 * in an event.
 */
static __noinline int
s9_is_still(struct s9_code *code, __u64 mm)
{
	struct vm_area_struct *area = (void *)code->area;

	if (area != NULL && S9_IS_MADE(code->key))
		return s9_is_attached(area) &&
		    (__u64)BPF_CORE_READ(area, vm_mm) == mm &&
		    (BPF_CORE_READ(area, vm_flags) & S9_VM_EXEC) &&
		    BPF_CORE_READ(area, vm_file) == NULL &&
		    BPF_CORE_READ(area, vm_ops) == NULL &&
		    BPF_CORE_READ(area, vm_start) <= code->start &&
		    BPF_CORE_READ(area, vm_end) >= code->start + code->size;
	return area != NULL && s9_is_attached(area) &&
	    (__u64)BPF_CORE_READ(area, vm_mm) == mm &&
	    BPF_CORE_READ(area, vm_start) == code->start &&
	    BPF_CORE_READ(area, vm_end) == code->start + code->size &&
	    (BPF_CORE_READ(area, vm_flags) & S9_VM_EXEC) &&
	    (code->inode == 0 ? s9_is_vdso_still(area, mm) :
	    s9_is_file_still(area, code));
}

/* How it ended: S9_WALK_WHOLE if the code is mapped as the list says. */
static __always_inline __u32
s9_confirm(struct task_struct *p, struct s9_code *code, __u64 stamp)
{
	struct s9_confirming x = {code, 0};
	long error = bpf_find_vma(p, code->start, s9_confirm_mapping, &x, 0);

	if (error == -2 || (error == 0 && x.stamp == 0)) {	/* ENOENT */
		code->gone = stamp;
		return S9_WALK_STALE;
	}
	if (error != 0)
		return S9_WALK_BUSY;
	code->stamp = x.stamp;
	return S9_WALK_WHOLE;
}

#endif /* STACK9_LEARNED_WALK_CONFIRM_H */
