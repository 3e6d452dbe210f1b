/*
 * Declares the memory layout that BPF programs and backends share.  All widths
 * are fixed.  A change of the layout changes S9_LAYOUT.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_RECORD_H
#define STACK9_RECORD_H

#include <linux/types.h>

#define	S9_LAYOUT	2	/* part of the name of pinned programs */

/*
 * The capacity for a stack.  The kernel keeps perf_event_max_stack frames (127
 * unless set), and its own buffers hold 8 more; it copies no more than fits
 * here.  A larger capacity would cost time at each load and each capture, and
 * the deepest kernel stacks known have some 90 frames.
 */
#define	S9_FRAMES	144

/* One sample of one thread. */
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
	__u32	is_newest;	/* in a pass over a process: no thread of it was
				   born later */
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

#define	S9_TEXT	640

/* Context of the program "name", in and out. */
struct s9_name {
	__u64	pc;		/* in */
	__u32	return_address;	/* in: look up pc - 1 */
	__s32	len;		/* out: bytes of text with its NUL, or -errno */
	char	text[S9_TEXT];	/* out: name+0xoffset/0xsize [module] */
};

/* The threads that an iterator's pass is for; element 0 of the map "wanted". */
struct s9_wanted {
	__s32	tid;		/* 0: any */
	__s32	pid;		/* 0: any */
	__u64	visited;	/* tasks that the pass has visited */
	__u64	ns;		/* set by the program at the first task: */
	__u32	level;		/* the asking process's pid namespace */
	__u32	reserved;
};

/*
 * The user side of a thread.  The registers are a copy of the kernel's struct
 * pt_regs.  The process interprets them for its CPU.
 */
#define	S9_REGS		36

struct s9_user {
	__u64	from;		/* address of the first byte of stack */
	__u32	bytes;		/* of stack that follow */
	__u32	flags;		/* S9_USER_* */
	__u64	regs[S9_REGS];
};

#define	S9_USER_MORE	0x1	/* the stack goes on after these bytes */
#define	S9_USER_NONE	0x2	/* a kernel thread */
#define	S9_USER_BUSY	0x4	/* its mappings are being changed: not copied,
				   because the copy might have to wait */
#define	S9_USER_SCANT	0x8	/* there was no memory for more */
#define	S9_USER_HOLE	0x10	/* a page is missing: not copied */

/*
 * At most this much of a sleeping thread's stack is copied at a time.  The
 * kernel gathers eight pages for a reader.  A record has to fit into them
 * together with as much before it as one read(2) asks for.
 */
#define	S9_USER_STACK	(20 * 1024)

struct s9_user_record {
	char		who[S9_RECORD_HEAD];	/* of a struct s9_record */
	struct s9_user	user;
	char		stack[S9_USER_STACK];
};

#define	S9_USER_HEAD	\
	((__u32)__builtin_offsetof(struct s9_user_record, stack))

/*
 * The program "user" keeps a stack in parts of this size.  From Linux 6.19 on
 * the kernel gives a task no storage of more than 8 KiB, headers included: the
 * program loads, and its storage is never there (kmalloc_nolock() refuses what
 * is larger than KMALLOC_MAX_CACHE_SIZE).  6.19.14 and 7.3.4 give values of
 * 8,096 bytes and none of 8,128; 6.18.15 gives 20,896.
 */
#define	S9_USER_PART	(31 * 256)

/* The tid of a record that says that the program had no buffer.  No thread has
 * it.  Only the head of such a record is written. */
#define	S9_NO_BUFFER	(-1)

enum s9_what {
	S9_WHO,			/* only the head of a struct s9_record */
	S9_KERNEL_SIDE,		/* a struct s9_record */
	S9_USER_SIDE		/* a struct s9_user_record */
};

/*
 * The request for a pass of the program "user".  It lies in the buffer of the
 * reading thread's read(2), where the answer will be.  So nothing is shared,
 * and the program can be pinned.
 */
struct s9_asked {
	__u64	magic;		/* S9_ASKED */
	__s32	tid;		/* 0: any */
	__s32	pid;		/* 0: any */
	__u64	from;		/* copy from this address on; 0: from sp on */
	__u32	what;		/* enum s9_what */
	__u32	reserved;
};

#define	S9_ASKED	0x7374616b39757372ull

/* Context of the program "user_one", in and out. */
struct s9_user_one {
	__s32	tid;		/* in */
	__u32	slot;		/* in: which slot takes the sample */
	__u64	ticket;		/* in: copied into the slot */
	__u64	from;		/* in: as above */
	__u32	what;		/* in: S9_KERNEL_SIDE or S9_USER_SIDE */
	__u32	most;		/* in: so many bytes at most */
	__s32	found;		/* out: 0, or -ESRCH */
	__u32	reserved;
};

/* Context of the program "name" that comes with "user_one", in and out. */
struct s9_name_in_slot {
	__u64	pc;		/* in */
	__u64	ticket;		/* in: copied into the slot */
	__u32	slot;		/* in: which slot takes the text */
	__u32	return_address;	/* in: look up pc - 1 */
	__s32	len;		/* out: as s9_name's */
	__u32	reserved;
};

#define	S9_SLOTS	4

/* An element of the map of "user_one". */
struct s9_slot {
	__u64			claimed;	/* 1: a thread of the process
					   has it; programs ignore it */
	__u64			ticket;
	union {
		struct s9_record	k;
		struct s9_user_record	u;
		char			text[S9_TEXT];
	};
};

/* The sample that the program "user_ipi" takes of a thread on a CPU.  The
 * program cannot be asked for more: the thread runs on. */
#define	S9_RUNNING_STACK	(64 * 1024)

struct s9_running {
	struct s9_record	k;
	struct s9_user		user;
	char			stack[S9_RUNNING_STACK];
};

#endif /* STACK9_RECORD_H */
