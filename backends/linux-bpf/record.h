/*
 * What the BPF programs and the backend say to each other: the one layout
 * both sides share.  Fixed widths; a change of it changes S9_LAYOUT.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_RECORD_H
#define STACK9_RECORD_H

#include <linux/types.h>

#define	S9_LAYOUT	1	/* part of the name of pinned programs */

/*
 * Room for a stack.  The kernel keeps perf_event_max_stack frames (127 unless
 * set), and its own buffers have room for 8 more; it copies no more than fits
 * here.  More room would be paid for at each load and each capture, and the
 * deepest kernel stacks known have some 90 frames.
 */
#define	S9_FRAMES	144

/* One look at one thread. */
struct s9_record {
	__u64	when_ns;	/* bpf_ktime_get_boot_ns() */
	__u64	start_ns;	/* task_struct.start_boottime */
	__u64	switches;	/* nvcsw + nivcsw, before */
	__u64	switches_after;
	__s32	tid;		/* in the asking process's pid namespace; */
	__s32	pid;		/* 0: not visible in it */
	__s32	host_tid;	/* in the init pid namespace */
	__s32	host_pid;
	__s32	cpu;
	__u32	state;		/* task_struct.__state */
	__u32	exit_state;
	__u32	task_flags;	/* PF_* */
	__u32	on_cpu;		/* before */
	__u32	on_cpu_after;
	__s32	bytes;		/* of pcs; or -errno, as the helper said */
	__u32	reserved;
	char	comm[16];
	__u64	pcs[S9_FRAMES];
};

#define	S9_RECORD_HEAD	((__u32)__builtin_offsetof(struct s9_record, pcs))

/* Context of the program "one", in and out. */
struct s9_one {
	__s32	tid;		/* in */
	__s32	found;		/* out: 0, or -ESRCH */
	struct s9_record r;	/* out */
};

/* Context of the program "name", in and out. */
struct s9_name {
	__u64	pc;		/* in */
	__u32	return_address;	/* in: look up pc - 1 */
	__s32	len;		/* out: bytes of text with its NUL, or -errno */
	char	text[640];	/* out: name+0xoffset/0xsize [module] */
};

/* What the iterator's passes are about; element 0 of the map "wanted". */
struct s9_wanted {
	__s32	tid;		/* 0: any */
	__s32	pid;		/* 0: any */
	__u64	visited;	/* tasks the pass has come by, counted there */
	__u64	ns;		/* the program's own: the asking process's */
	__u32	level;		/* pid namespace, found at the first task */
	__u32	reserved;
};

#endif /* STACK9_RECORD_H */
