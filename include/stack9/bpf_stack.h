/*
 * Defines the border between anybody's BPF programs and those of the library:
 * the call, and the stack that is the answer.  The number at the end of a
 * map's name is the version of all that is here.  Both ends include this file,
 * after <linux/types.h>, vmlinux.h or neither.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_BPF_STACK_H
#define STACK9_BPF_STACK_H

#define	STACK9_BPF_MAGIC	0x73390001u	/* "s9", and the version */
#define	STACK9_BPF_FRAMES	127	/* deeper stacks are sent */
#define	STACK9_BPF_LEVELS	4	/* calls that may nest on a CPU */

/* A user stack, innermost frame first: an exact pc, then return addresses. */
struct stack9_bpf_stack {
	unsigned int		magic;		/* STACK9_BPF_MAGIC */
	unsigned int		depth;		/* frames in pcs */
	unsigned long long	cookie;		/* of the call */
	unsigned long long	when_ns;	/* CLOCK_BOOTTIME */
	unsigned long long	start_ns;	/* of the thread */
	int			tid, pid;	/* as the owner of the rules
						   sees them */
	int			cpu;
	int			host_tid;	/* in the first pid namespace */
	char			comm[16];
	unsigned long long	known[3];	/* for stack9_rules_sample() */
	unsigned long long	pcs[STACK9_BPF_FRAMES];
};

/* The bytes of a stack with so many frames. */
#define	STACK9_BPF_SIZE(depth)						\
	(__builtin_offsetof(struct stack9_bpf_stack, pcs) + (depth) * 8)

#define	STACK9_BPF_SEND	0x1u	/* of a call: its sample is always sent */

/* A call under way.  Only <stack9/stack9.bpf.h> and the library use it. */
struct stack9_bpf_call {
	unsigned long long	busy;
	unsigned long long	serial;		/* the last of a task is the
						   innermost */
	unsigned long long	task;		/* kernel's, of the caller */
	unsigned long long	cookie;
	unsigned int		flags;		/* STACK9_BPF_SEND */
	unsigned int		taken;		/* the library has seen it */
	int			result;
	unsigned int		reserved;
	struct stack9_bpf_stack	stack;
};

#endif /* STACK9_BPF_STACK_H */
