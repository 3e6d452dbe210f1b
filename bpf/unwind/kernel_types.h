/*
 * Declares the kernel's types that only the walk by learned rules touches.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_KERNEL_TYPES_H
#define STACK9_LEARNED_KERNEL_TYPES_H

#include "bpf/kernel.h"

#pragma clang attribute push(__attribute__((preserve_access_index)),	\
    apply_to = record)

/* Unsigned, so that libbpf may narrow the load: cs has 2 bytes since 6.9. */
struct pt_regs___x86_64 {
	unsigned long	ip, sp, bp, cs;
};

/* The count of changes of the mappings, of CONFIG_PER_VMA_LOCK: since 6.14 odd
 * while they are changed, and a plain number before. */
struct mm_struct___counted {
	struct {
		unsigned int	sequence;
	} mm_lock_seq;
};
struct mm_struct___plain {
	unsigned int	mm_lock_seq;
};

struct super_block {
	unsigned int	s_dev;
};

struct inode {
	unsigned long		i_ino;
	struct super_block	*i_sb;
	unsigned long long	i_size;
	unsigned long long	i_mtime_sec;	/* since 6.11 */
	unsigned int		i_mtime_nsec;
};

struct timespec64 {
	unsigned long long	tv_sec;
	unsigned long		tv_nsec;
};
struct inode___old {
	struct timespec64	__i_mtime;	/* since 6.7 */
	struct timespec64	i_mtime;
};

struct file {
	struct inode	*f_inode;
	unsigned int	f_mode;
};

struct vm_area_struct {
	struct mm_struct *vm_mm;
	unsigned long	vm_start, vm_end;
	unsigned long	vm_pgoff;
	unsigned long	vm_flags;
	struct file	*vm_file;
	const void	*vm_ops;
};

/* Of CONFIG_PER_VMA_LOCK: whether the process has the mapping still.  The count
 * is since 6.15. */
struct vm_area_struct___counted {
	struct {
		struct {
			int	counter;
		} refs;
	} vm_refcnt;
};
struct vm_area_struct___flagged {
	_Bool	detached;
};

/* x86 */
struct mm_struct___vdso {
	struct {
		void	*vdso;
	} context;
};

#pragma clang attribute pop

#define	S9_VM_EXEC	0x4	/* include/linux/mm.h */

#endif /* STACK9_LEARNED_KERNEL_TYPES_H */
