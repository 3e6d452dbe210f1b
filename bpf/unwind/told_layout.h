/*
 * Defines the memory in which the frames of a language are reported.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_TOLD_LAYOUT_H
#define STACK9_TOLD_LAYOUT_H

#include "core/seam/frame_chain.h"
#include "layout.h"

#define	S9_TOLD_WORDS	512	/* two or more for each frame */
#define	S9_TOLD_THREADS	4096	/* that are looked at for the current one */
#define	S9_LISTED	1024	/* threads with a place; a power of 2 */
#define	S9_CHAINS	1024	/* processes */

enum s9_told_end {
	S9_TOLD_WHOLE = 0,
	S9_TOLD_FAULT,		/* memory that cannot be read just now */
	S9_TOLD_DEEP,		/* more frames than there is room for */
};

#define	S9_TOLD_NEAR	1024	/* bytes that are read at once of frames that
				   lie together */
#define	S9_TOLD_CODES	16	/* code objects of one event that are kept */

struct s9_told_code {
	__u64	code;		/* its address */
	__u64	base;		/* positions count from; 0: there are none */
	__u64	moved[S9_MOVED];
	__u32	cookie;
	__u32	serial;		/* of the event */
	__u32	moves;		/* it does not outlive its calls */
	__u32	reserved;
};

/* Frames that are being reported. */
struct s9_told {
	struct s9_space	space;		/* of the thread, */
	__u64	identity;		/* its thread pointer, */
	__u32	tid;			/* and its id */
	__u32	end;			/* enum s9_told_end */
	__u64	group, thread;		/* that is looked at */
	__u64	frame;			/* the next one */
	__u32	count;			/* words so far */
	__u32	serial;			/* of the event */
	__u64	near;			/* address of the first of near_bytes;
					   0: there are none */
	struct s9_told_code	codes[S9_TOLD_CODES];
	__u8	near_bytes[S9_TOLD_NEAR];
	__u8	frame_bytes[S9_CHAIN_FRAME];
	__u8	code_bytes[S9_CHAIN_CODE];
	__u8	led_bytes[S9_CHAIN_LED];
	__u64	words[S9_TOLD_WORDS];
};

#endif /* STACK9_TOLD_LAYOUT_H */
