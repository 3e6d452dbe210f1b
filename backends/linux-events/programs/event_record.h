/*
 * Defines the records that the programs on events and their reader exchange.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_RECORD_H
#define STACK9_EVENT_RECORD_H

#include <linux/types.h>

#include "bpf/unwind/layout.h"
#include "bpf/unwind/reported_layout.h"
#include "bpf/record.h"

#define	S9_MOST_FRAMES	1024	/* of a side; of a copied one, unless it has
				   more */

/*
 * Two stacks and the address space that they belong to.  The kernel's frames
 * follow, the user's frames follow those at once, and those of a language's
 * runtime come last (core/seam/frame_chain.h).  Stacks are the same
 * only if all of it is.
 */
struct s9_stacks {
	struct s9_space	space;
	__u16	kernel, user;	/* frames */
	__s16	kernel_error;	/* 0, or -errno in place of frames */
	__s16	user_error;	/* above 0: walked by learned rules, in the
				   code of the list with this number; with
				   S9_GUESSED: by guesses, too */
	__u16	reported;		/* words of the runtime's frames */
	__u16	reported_end;	/* enum s9_reported_end */
	__u32	reserved;
};
#define	S9_GUESSED	0x4000	/* all numbers are below it */

struct s9_count {
	__u64	events;
	__u64	weight_ns;
};

/*
 * The value of a table whose key is a hash of the stacks.  The stacks are
 * compared all the same: stacks that have the hash of others are counted by the
 * reader.  Rejected: the stacks themselves as the key.  The kernel hashes all
 * bytes that a key can have, 12 bytes at a time and one after the other.
 */
struct s9_counted {
	struct s9_count		count;
	__u64			slot;	/* more events are counted there (map
					   repeats); 0: it has none */
	struct s9_stacks	stacks;
	__u64			pcs[];
};

/* Each size has a table, because most stacks are shallow.  The last table takes
 * two sides of any depth. */
#define	S9_SIZES	6
#define	S9_SIZE_0	8	/* frames of both sides together */
#define	S9_SIZE_1	16
#define	S9_SIZE_2	32
#define	S9_SIZE_3	64
#define	S9_SIZE_4	256

/* So many frames are hashed and compared at once; zeroes follow the last. */
#define	S9_ABREAST		4

/* The counts of one CPU, beside those in its scratches. */
struct s9_totals {
	__u64	events;		/* that passed the filter */
	__u64	late;		/* events after the end */
	__u64	done;		/* events that no program is at any more */
	__u64	nested;
	__u64	no_room;
	__u64	spilled;
	__u64	stacks;		/* distinct, in the tables */
	__u64	walked, copied;	/* user sides, in no scratch */
	__u64	remembered;	/* of the walked */
	__u64	answered;	/* as in s9_scratch */
	__u32	deepest[2];	/* frames of kernel, user: the last stack that
				   was deeper than expected */
};

enum s9_event_what {
	S9_EVENT = 1,		/* an event, with frames of both sides */
	S9_STACK_PART,		/* of a copy that follows */
	S9_EVENT_COPY,		/* with a copy of the user side */
	S9_BLOCKED_COPY,	/* the same; its thread has just blocked */
	S9_RESUMED,		/* the thread goes on: a head alone */
	S9_PROCESS,		/* a new process: no frames */
	S9_WAKER,		/* as S9_EVENT, of the thread that wakes a
				   blocked one */
	S9_WAKER_COPY,		/* the same, with a copy of the user side */
	S9_REPORTED,		/* the frames of a runtime that a stack has
				   which is new in a table: no other frames */
};

/* The head of each record of the ring. */
struct s9_event_head {
	__u32	what;		/* enum s9_event_what */
	__s32	cpu;
	__u64	when_ns;	/* bpf_ktime_get_boot_ns() */
	__u64	start_ns;	/* of the thread */
	__u64	weight_ns;
	__u64	serial;		/* of S9_BLOCKED_COPY and its S9_RESUMED; of
				   S9_WAKER: when the woken thread blocked; of
				   a program of others: its cookie */
	__u64	dropped;	/* so far, on all CPUs */
	__s32	tid, pid;	/* in the asking process's pid namespace */
	__u32	probe;		/* index of the probe */
	__u32	kthread;
	__s32	host_tid;	/* in the init pid namespace */
	__u32	scratch;	/* of a copy: who has put its parts */
	__u32	walk;		/* of a copy: enum s9_walk_end */
	__u32	missing;	/* of a copy: the pages that were not read, a
				   bit for each; bit 0 is the page of
				   user.from */
	__s32	woken;		/* of S9_WAKER: the woken thread, as host_tid */
	__u32	reserved;
	char	comm[16];
};

/* The record of S9_EVENT, S9_WAKER and S9_PROCESS.  It ends after its last
 * frame.  A table gets the part from the member first on. */
struct s9_event {
	struct s9_event_head	head;
	__u64			hash;	/* of the stacks counted last here */
	struct s9_count		first;
	__u64			slot;	/* as in s9_counted; before it is
					   counted, S9_WANTS_SLOT or 0 */
	struct s9_stacks	stacks;
	__u64			pcs[];
};

/* The words of both sides and of runtimes. */
#define	S9_MOST_WORDS	(2 * S9_MOST_FRAMES + S9_REPORTED_WORDS)

/* Slots, at most; those of one element of the map: the kernel allocates each
 * element by itself. */
#define	S9_REPEATS	65536
#define	S9_REPEATS_PART	2048
#define	S9_WANTS_SLOT	S9_REPEATS
struct s9_repeats {
	__u64	events[S9_REPEATS_PART];
};

/* Stacks that have come twice in a row. */
#define	S9_TWICE_FRAMES	32
struct s9_twice {
	__u64			slot;	/* 0: none */
	struct s9_stacks	stacks;
	__u64			pcs[S9_TWICE_FRAMES + S9_ABREAST];
};

/*
 * The record of the other kinds.  user.bytes bytes follow it, and then
 * stacks.kernel frames.
 *
 * A stack that does not fit into one record comes in parts.  Records of the
 * kind S9_STACK_PART have no frames.  They come before the record of the event,
 * from the second part on.  They share its scratch and when_ns.  A part of
 * which no page was read does not come.
 */
#define	S9_COPY_ROOM	(32 * 1024)
#define	S9_COPY_PARTS	16

struct s9_event_copy {
	struct s9_event_head	head;
	struct s9_stacks	stacks;
	struct s9_user		user;
	char			bytes[];
};

/* Element 0 of the map "control".  The reader shares it. */
struct s9_control_word {
	__u32	off;		/* the watch is over: no event counts */
	__u32	chains;		/* the map of that name is not empty */
	__u32	spare[14];	/* each event reads these, and none writes to
				   their cache line */
	__u64	passed;		/* with a limit: events so far */
	__u64	dropped;
	__u64	serial;
	__u64	slots;		/* that are given away */
	__u32	sleeping;	/* S9_SLEEPS: the reader waits to be woken;
				   S9_RESTS: only if the ring is filling */
	__u32	spare_too;
};

#define	S9_SLEEPS	1
#define	S9_RESTS	2

/* The configuration.  It is set before the programs are loaded. */
struct s9_config {
	__u32	sides;		/* 1: kernel, 2: user */
	__u32	frames;		/* of a side, at most; */
	__u32	both;		/* of both together; */
	__u32	words;		/* those and the words of runtimes */
	__u32	stream;		/* each event to the ring */
	__u32	copy;		/* the user side; 0: by frame pointers */
	__u32	walk;		/* by learned rules, before it is copied */
	__u32	compare;	/* what is walked is copied, too */
	__u32	by_process;	/* kernel stacks too */
	__u32	cookies;	/* bpf_get_attach_cookie() */
	__u32	syscall_tracepoint;	/* at a call's own tracepoint */
	__u32	all_calls;	/* at_call is at the tracepoint of all calls */
	__s32	not_reader;	/* if not_pid is not 0 */
	__u32	init_ns;	/* the asking process is in the init pid ns */
	__s32	pid, tid, cpu;	/* 0, 0, -1: any */
	__s32	not_pid;	/* 0: all are wanted */
	__u32	by_comm, by_cgroup;
	char	comm[16];
	__u64	limit;
	__u32	few;		/* events: loading costs more than running */
	__u32	reported;	/* words of runtimes' frames, at most; 0: they
				   are not asked for */
	__u32	slots;		/* of the map repeats */
	__u32	spare;
	__u64	min_ns, max_ns;
	__u64	ring_filling;	/* with so many bytes the ring is filling */
	__u64	seed;		/* of hashes */
};

/* The asking process's pid namespace, if it is not the init one. */
struct s9_ns {
	__u64	ns;
	__u32	level;
	__u32	reserved;
};

/* The buffer for the stacks that are walked on one level of a CPU.  Only the
 * program that has claimed it uses it, so counting here takes no atomic
 * addition. */
struct s9_scratch {
	__u32	busy;
	__u32	fence;
	__u64	events;
	__u64	walked, copied;	/* user sides */
	__u64	remembered;	/* of the walked: not all of it again */
	__u64	answered;	/* in memory of a program of others */
	struct s9_walker	walk;
	struct s9_twice		twice;
	struct s9_event	e;
};

/* The stacks of a thread that is off its CPU. */
struct s9_blocked {
	__u64	since_ns;	/* 0: it is on a CPU */
	struct s9_event		e;
};

#define	S9_LEVELS	4	/* interrupts that may nest on a CPU */
#define	S9_SYSCALLS	1024

#endif /* STACK9_EVENT_RECORD_H */
