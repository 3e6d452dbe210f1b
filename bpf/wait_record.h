/*
 * Declares the record of the program "wait": what the kernel knows of one
 * thread's wait.  All widths are fixed.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_WAIT_RECORD_H
#define STACK9_WAIT_RECORD_H

#include "record.h"
#include "state_record.h"

/* A thread, as the asking process's pid namespace has it. */
struct s9_other {
	__u64	start_ns;	/* task_struct.start_boottime */
	__s32	tid, pid;	/* 0: there is none, or it is not visible */
};

/* All but the registers. */
struct s9_wait_rest {
	__u64	when_ns;	/* bpf_ktime_get_boot_ns() */
	__u64	start_ns;	/* task_struct.start_boottime */
	__u64	switches;	/* nvcsw + nivcsw, before */
	__u64	switches_after;
	__u64	reader_clock;	/* as s9_state's */
	struct s9_times	times;
	__u64	lock;		/* S9_LOCK_*: its address; 0: none is known */
	__u64	holder_word;	/* the lock's word that names its owner */
	struct s9_other	holder;	/* the thread that the word names */
	struct s9_other	tracer;
	__s32	tid, pid;	/* in the asking process's pid namespace */
	__u32	state;		/* task_struct.__state */
	__u32	exit_state;
	__u32	task_flags;	/* PF_* */
	__u32	on_cpu;		/* before */
	__u32	on_cpu_after;
	__u32	lock_kind;	/* S9_LOCK_* */
	__u32	has_regs;	/* 0: no user side */
	__u32	reserved;
};

struct s9_wait {
	__u64			regs[S9_REGS];	/* pt_regs of its entry */
	struct s9_wait_rest	rest;
};

/* task_struct.blocker has these numbers except the last
 * (include/linux/hung_task.h). */
#define	S9_LOCK_MUTEX		0
#define	S9_LOCK_SEMAPHORE	1
#define	S9_LOCK_READ		2
#define	S9_LOCK_WRITE		3
#define	S9_LOCK_RT_MUTEX	4

#endif /* STACK9_WAIT_RECORD_H */
