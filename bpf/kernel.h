/*
 * Declares the few kernel types that the programs touch.  CO-RE finds by name
 * where their members are in the running kernel, so no header of any kernel is
 * needed, and one object serves every CPU.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_KERNEL_H
#define STACK9_KERNEL_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#pragma clang attribute push(__attribute__((preserve_access_index)),	\
    apply_to = record)

struct pid_namespace;

struct upid {
	int			 nr;
	struct pid_namespace	*ns;
};

struct pid {
	unsigned int	level;
	struct upid	numbers[1];
};

struct list_head {
	struct list_head	*next;
};

struct signal_struct {
	struct pid		*pids[4];	/* indexed by enum pid_type */
	struct list_head	 thread_head;
};

struct thread_info {
	unsigned int	cpu;		/* since 5.16; arm64 always */
};

struct pt_regs {
	unsigned long	sp;
	unsigned long	si;		/* x86 */
	__u64		regs[31];	/* arm64 */
};

struct rw_semaphore {
	struct {
		long	counter;
	} count;			/* not so on a real-time kernel */
};

struct mm_struct {
	struct rw_semaphore	mmap_lock;
	unsigned long		start_stack;
};

struct thread_struct {
	unsigned long	fsbase;		/* x86 */
};

struct thread_struct___arm64 {
	struct {
		unsigned long	tp_value;
	} uw;
};

struct task_struct {
	struct thread_info	 thread_info;
	struct thread_struct	 thread;
	struct mm_struct	*mm;
	unsigned int		 __state;	/* since 5.14 */
	/* Unsigned, so that libbpf may narrow the load: 1 byte in 7.2. */
	unsigned int		 on_cpu;
	unsigned int		 flags;
	int			 exit_state;
	int			 pid;
	int			 tgid;
	struct pid		*thread_pid;
	struct signal_struct	*signal;
	struct list_head	 thread_node;
	unsigned long		 nvcsw;
	unsigned long		 nivcsw;
	unsigned long long	 start_boottime;
	char			 comm[16];
};

/* Before: renamed in 5.14 (2f064a59a11f), moved in 5.16 (bcf9033e5449). */
struct task_struct___old {
	long		 state;
	unsigned int	 cpu;
};

#pragma clang attribute pop

/*
 * The context of a task iterator, as it has been since 5.8.  It is read without
 * CO-RE: to find a type's name the kernel goes through all names of its BTF,
 * and its cache of 31 types has one place for bpf_iter_meta and rw_semaphore.
 * The verifier refuses a member that is not there.
 * The types have a flavor: a newer <linux/bpf.h> may have them, too.
 */
struct bpf_iter_meta___s9 {
	struct seq_file	*seq;
	__u64		 session_id;
	__u64		 seq_num;	/* of the task in the pass, from 0 */
};

struct bpf_iter__task___s9 {
	struct bpf_iter_meta___s9	*meta;
	struct task_struct		*task;
};

#define	S9_PIDTYPE_TGID	1

/* The licence of the programs: their helpers are for GPL programs only. */
#define	S9_LICENSE	char LICENSE[] SEC("license") = "Dual BSD/GPL"

#endif /* STACK9_KERNEL_H */
