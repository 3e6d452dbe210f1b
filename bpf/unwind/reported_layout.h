/*
 * Defines the memory in which the frames of a language are reported.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_REPORTED_LAYOUT_H
#define STACK9_REPORTED_LAYOUT_H

#include "core/seam/frame_chain.h"
#include "layout.h"

#define	S9_REPORTED_WORDS	512	/* two or more for each frame */
#define	S9_REPORTED_THREADS	4096	/* that are read for the current one */
#define	S9_LISTED	1024	/* threads with a place; a power of 2 */
#define	S9_CHAINS	1024	/* processes */
#define	S9_REPORTED_STEPS	2048	/* that an event takes, at most */

enum s9_reported_end {
	S9_REPORTED_WHOLE = 0,
	S9_REPORTED_FAULT,	/* memory that cannot be read just now */
	S9_REPORTED_DEEP,	/* more frames than there is room for */
};

#define	S9_REPORTED_NEAR	1024	/* bytes of frames that lie
				   together, read at once */
#define	S9_REPORTED_SEEN	16	/* registers; and words of a stack that
					   lead to no state */
#define	S9_REPORTED_STACK	(64 * 1024)	/* bytes that are looked at */
#define	S9_REPORTED_CODES	32	/* code objects kept for an event */

struct s9_reported_code {
	__u64	code;		/* its address */
	__u64	base;		/* positions count from; 0: there are none */
	__u64	moved[S9_MOVED];
	__u32	cookie;
	__u32	serial;		/* of the event */
	__u32	moves;		/* it does not outlive its calls */
	__u32	is_entry;
};

/* Frames that are being reported. */
struct s9_reported {
	struct s9_space	space;		/* of the thread, */
	__u64	identity;		/* its thread pointer, */
	__u32	tid;			/* and its id */
	__u32	end;			/* enum s9_reported_end */
	__u64	group, thread;		/* that is looked at */
	__u64	frame;			/* the next one, */
	__u64	end_of_frames;		/* which is below, in an array */
	__u64	around[3];		/* an environment: a value, the one
					   around it, flags */
	__u64	waits;			/* an object that may wait; 0: none */
	__u64	stack;			/* the next one of contexts, */
	__u64	contexts;		/* the array of the last one, */
	__u64	statement, operation;	/* and what is reported next; 0: none */
	__s32	left;			/* contexts of the array */
	__u32	enters;			/* the last call of these goes back to
					   C */
	__u32	compares;		/* the array is of a comparison */
	__u32	has_contexts;		/* their end was not reported yet */
	__u32	seeks;			/* for the entry of the last frame */
	__u32	is_function;
	/* The state whose frames are reported, where it was entered, and the
	 * next one around it so far; 0: there is none. */
	__u64	state, entered, around_state, around_entered;
	__u64	sp, end_of_stack;
	__u64	seek;			/* what is looked at for states next: an
					   address, or an offset in registers */
	__u64	candidate;
	__u32	seeks_state;
	__u32	is_innermost;		/* no frame was reported yet */
	__u32	count;			/* words so far */
	__u32	serial;			/* of the event */
	__u64	near;			/* address of the first of near_bytes;
					   0: there are none */
	__u64	near_around;		/* of around_bytes, likewise */
	struct s9_reported_code	codes[S9_REPORTED_CODES];
	__u64	registers[S9_REPORTED_SEEN], seen[S9_REPORTED_SEEN];
	__u8	near_bytes[S9_REPORTED_NEAR];
	__u8	around_bytes[S9_REPORTED_NEAR];
	__u8	frame_bytes[S9_CHAIN_FRAME];
	__u8	code_bytes[S9_CHAIN_CODE];
	__u8	led_bytes[S9_CHAIN_LED];
	__u64	words[S9_REPORTED_WORDS];
};

#endif /* STACK9_REPORTED_LAYOUT_H */
