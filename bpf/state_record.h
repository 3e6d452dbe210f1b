/*
 * Declares the record of the programs "state" and "threads": a thread as the
 * scheduler knows it.  All widths are fixed.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_STATE_RECORD_H
#define STACK9_STATE_RECORD_H

#include <linux/types.h>

/*
 * Moments of a thread and clocks of its CPU, by the scheduler.  0: the
 * kernel keeps no such number.
 *
 * A CPU has two clocks.  One is the time since boot, less suspensions, and the
 * same on all CPUs; the other one does not run while interrupts or, on a
 * virtual machine, other machines have the CPU.  Both are brought up to date
 * when the CPU's scheduler works, so those of an idle CPU may be old.
 */
struct s9_times {
	__u64	arrived;	/* it came onto a CPU: by the first clock */
	__u64	began;		/* it fell asleep, or was queued to run: by the
				   first clock */
	__u64	left;		/* it was on a CPU last: by the second clock */
	__u64	clock;		/* its CPU's first clock */
	__u64	clock_task;	/* its CPU's second clock */
};

struct s9_state {
	__u64	when_ns;	/* bpf_ktime_get_boot_ns() */
	__u64	start_ns;	/* task_struct.start_boottime */
	__u64	switches;	/* nvcsw + nivcsw */
	__u64	reader_clock;	/* the first clock of the reader's CPU; in the
				   first record of a pass only */
	struct s9_times	times;
	__s32	tid, pid;	/* in the asking process's pid namespace */
	__u32	state;		/* task_struct.__state */
	__u32	exit_state;
	__u32	on_cpu;
	__s32	cpu;
	__u32	is_newest;	/* as s9_record's, by "state" only */
	__u32	reserved;
	char	comm[16];
};

/* The program "threads" passes over a process with more threads. */
#define	S9_MOST_THREADS	16384

/* Its context, in and out. */
struct s9_threads {
	__s32	pid;		/* in */
	__s32	count;		/* out: of records, or -ESRCH, -E2BIG */
};

#endif /* STACK9_STATE_RECORD_H */
