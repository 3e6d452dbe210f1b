/*
 * What the programs on events and this backend say to each other.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_RECORD_H
#define STACK9_EVENT_RECORD_H

#include <linux/types.h>

#include "bpf/record.h"

#define	S9_MOST_FRAMES	1024	/* of a side */

/*
 * An address space for good.  An execve(2) makes another of the same process,
 * and the number of those is what the kernel keeps for parents that signal a
 * child which is no longer what it was.  All 0: of no process.
 */
struct s9_space {
	__u64	start_ns;	/* start_boottime of the process */
	__u32	pid;		/* in the init pid namespace */
	__u32	execs;		/* task_struct.self_exec_id */
};

/*
 * Two stacks and whose they are: with the frames that follow, the kernel's and
 * then at once the user's, all that tells them from others.
 */
struct s9_stacks {
	struct s9_space	space;
	__u16	kernel, user;	/* frames */
	__s16	kernel_error;	/* 0, or -errno in place of frames */
	__s16	user_error;
};

struct s9_count {
	__u64	events;
	__u64	weight_ns;
};

/*
 * Value of a table, whose key is a hash of the stacks.  They are compared all
 * the same: what has another's hash is not counted there, but by the reader.
 * They are not the key themselves, for of that the kernel hashes all the room,
 * 12 bytes at a time and one after the other.
 */
struct s9_counted {
	struct s9_count		count;
	struct s9_stacks	stacks;
	__u64			pcs[];
};

/* A table for each size: most stacks are shallow.  The last has room for two
 * sides of any depth. */
#define	S9_SIZES	5
#define	S9_SIZE_0	8	/* frames of both sides together */
#define	S9_SIZE_1	16
#define	S9_SIZE_2	32
#define	S9_SIZE_3	64

/* Frames are hashed and compared by so many, with zeroes behind the last. */
#define	S9_ABREAST		4

/* Key of the table that --stackid uses.  An id below 0 is an errno. */
struct s9_ids_key {
	struct s9_space	space;
	__s32	kernel, user;
};

/* What a CPU has seen, beside what its scratches have. */
struct s9_totals {
	__u64	events;		/* that passed the filter */
	__u64	late;		/* of them: after the end */
	__u64	done;		/* of them: that nobody is at any more */
	__u64	nested;
	__u64	no_room;
	__u64	collided;
	__u64	spilled;
	__u64	stacks;		/* distinct, in the tables */
	__u32	deepest[2];	/* frames of kernel, user: of those that were
				   more than was thought */
};

enum s9_event_what {
	S9_EVENT = 1,		/* an event, with frames of both sides */
	S9_EVENT_COPY,		/* with a copy of the user side */
	S9_BLOCKED_COPY,	/* likewise; its thread has just blocked */
	S9_RESUMED,		/* and goes on: a head alone */
	S9_PROCESS,		/* one not met before: no frames */
};

/* What stands first in each record of the ring. */
struct s9_event_head {
	__u32	what;		/* enum s9_event_what */
	__s32	cpu;
	__u64	when_ns;	/* bpf_ktime_get_boot_ns() */
	__u64	start_ns;	/* of the thread */
	__u64	weight_ns;
	__u64	serial;		/* of S9_BLOCKED_COPY and its S9_RESUMED */
	__u64	dropped;	/* so far, by all CPUs */
	__s32	tid, pid;	/* in the asking process's pid namespace */
	__u32	point;		/* which event: an index */
	__u32	kthread;
	__s32	host_tid;	/* in the init pid namespace */
	__u32	reserved;
	char	comm[16];
};

/* S9_EVENT, S9_PROCESS: as long as it has frames.  From first on, it is what
 * comes into a table. */
struct s9_event {
	struct s9_event_head	head;
	struct s9_count		first;
	struct s9_stacks	stacks;
	__u64			pcs[];
};

/* The others: as long as it has bytes of user.bytes, and behind those
 * stacks.kernel frames. */
#define	S9_COPY_ROOM	(32 * 1024)

struct s9_event_copy {
	struct s9_event_head	head;
	struct s9_stacks	stacks;
	struct s9_user		user;
	char			bytes[];
};

/* Shared with the reader; element 0 of the map "control". */
struct s9_control_word {
	__u64	passed;		/* with a limit: events so far */
	__u64	dropped;
	__u64	serial;
	__u32	sleeping;	/* S9_SLEEPS: the reader waits to be woken;
				   S9_RESTS: only if there is much */
	__u32	off;		/* the end: no event counts from now on */
};

#define	S9_SLEEPS	1
#define	S9_RESTS	2

/* What is set before the programs are loaded. */
struct s9_config {
	__u32	sides;		/* 1: kernel, 2: user */
	__u32	frames;		/* of a side, at most */
	__u32	stream;		/* each event to the ring */
	__u32	copy;		/* the user side: else by frame pointers */
	__u32	by_process;	/* kernel stacks too */
	__u32	stackid;
	__u64	stackid_flags;
	__u32	cookies;	/* bpf_get_attach_cookie() */
	__u32	own_tracepoint;	/* of one system call */
	__u32	reserved;
	__u32	init_ns;	/* the asking process is in the init pid ns */
	__s32	pid, tid, cpu;	/* 0, 0, -1: any */
	__s32	not_pid;	/* 0: all are wanted */
	__u32	by_comm, by_cgroup;
	char	comm[16];
	__u64	limit;
	__u64	min_ns, max_ns;
	__u64	ring_filling;	/* bytes that are much */
	__u64	seed;		/* of hashes */
};

/* The asking process's pid namespace, where it is not the init one. */
struct s9_ns {
	__u64	ns;
	__u32	level;
	__u32	reserved;
};

/* Room that a CPU's level has for what is walked.  Who has claimed it is alone
 * with it, so that to count here takes no atomic addition. */
struct s9_scratch {
	__u32	busy;
	__u32	fence;
	__u64	events;
	struct s9_event	e;
};

/* Of a thread off its CPU. */
struct s9_blocked {
	__u64	since_ns;	/* 0: it is on one */
	struct s9_ids_key	ids;
	struct s9_event		e;
};

#define	S9_LEVELS	4	/* interrupts that may nest on a CPU */
#define	S9_SYSCALLS	1024

#endif /* STACK9_EVENT_RECORD_H */
