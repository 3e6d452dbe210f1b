/*
 * Declares the memory that the programs of async.bpf.c and the backend share:
 * one array that the process has mapped.  Element 0 is the control block, each
 * other element is a slot.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_ASYNC_RECORD_H
#define STACK9_ASYNC_RECORD_H

#include "bpf/unwind/layout.h"
#include "bpf/record.h"

/*
 * An id has the slot's number in its low bits and a generation above.  The
 * generation counts how often the slot has been allocated, from a start that
 * differs in each table of the process.  An id is never 0 and never used twice.
 */
#define	S9_SLOT_BITS	20
#define	S9_SLOT_MASK	((1ull << S9_SLOT_BITS) - 1)
#define	S9_ID(gen, slot)	((gen) << S9_SLOT_BITS | (slot))

/*
 * A slot's word is its generation << 4 | phase, and it alone says who owns the
 * slot.  A change of phase by a compare-and-exchange gives the slot to the
 * owner of the new phase:
 *
 *	FREE -> HELD		the program that submits
 *	HELD -> WAITING		no owner: its task work is on its way
 *	HELD -> DONE		the holder of the id: no work was needed, as
 *				the kernel side is all or the user side was
 *				walked
 *	WAITING -> WRITING	its thread, in its callback; or a thread that
 *				knows that the callback will never come
 *	WRITING -> DONE		the holder of the id
 *	WAITING -> CANCELLED	likewise: the work has been cancelled
 *	WRITING -> FORSAKEN	cancelled, but its thread is not done with it
 *	FORSAKEN -> CANCELLED	its thread has changed it
 *	WRITING, FORSAKEN -> DROPPED	released; its thread makes it FREE
 *	WAITING, DONE, CANCELLED -> HELD -> FREE	released
 */
#define	S9_PHASES	16
enum s9_phase {
	S9_FREE,
	S9_HELD,
	S9_WAITING,
	S9_WRITING,
	S9_DONE,
	S9_CANCELLED,
	S9_FORSAKEN,
	S9_DROPPED
};
#define	S9_WORD(gen, phase)	((gen) * S9_PHASES + (phase))

/*
 * A list of free numbers.  head has the first number in its low half, 0 if the
 * list is empty, and a count of changes above, so that a compare-and-exchange
 * notices when the first number went and came back.  Numbers that were never
 * allocated are not in the list; they begin at fresh.
 */
struct s9_free_list {
	__u64	head;
	__u64	fresh;		/* numbers below were allocated before */
	__u64	limit;		/* there are no numbers from here on */
};

/* Pieces hold the stacks that do not fit into their slots.  Their map is
 * another. */
#define	S9_PIECE	(32 * 1024)
#define	S9_PIECES	16	/* that one stack may have */

struct s9_piece {
	__u64	next;		/* of the free list, of pieces */
	char	bytes[S9_PIECE];
};

/* A watch: the threads that a program attached to an event submits. */
struct s9_watch {
	__s32	pid;		/* in the process's pid namespace; 0: any */
	__s32	tid;		/* likewise */
	__u32	sides;		/* 0: nothing, it is not attached */
	__u32	turn;		/* how often the element has been used */
	__u64	cookie;		/* for the slot */
};
#define	S9_WATCHES	16
/* A program's cookie.  The turn shows the program that its element has another
 * user since. */
#define	S9_WATCH_COOKIE(number, turn)	((turn) * S9_WATCHES + (number))

struct s9_control {
	struct s9_free_list	slots;
	struct s9_free_list	pieces;
	__u64		dropped;	/* events for which there was no slot */
	__u64		drop_published;	/* 1: a record of them is in the ring */
	__u64		unpublished;	/* 1: a record could not be written */
	__u64		first_gen;	/* of every slot */
	__u64		captured;	/* user sides copied by their threads */
	__u64		inside_ns;	/* how long that took them */
	__u64		walked;		/* user sides walked at their events */
	__u64		ns;		/* the process's pid namespace */
	__u32		level;
	__u32		reserved;
	struct s9_watch	watches[S9_WATCHES];
};

struct s9_async_head {
	__u64	word;
	__u64	next;		/* of the free list, of slots */
	__u64	task;		/* struct task_struct * of the thread */
	__u64	cookie;		/* of the watch; 0: the process submitted */
	__u64	began_ns;	/* in the callback; CLOCK_BOOTTIME */
	__u32	sides;		/* enum stack9_side */
	__s32	error;		/* of the user side: 0, or a positive errno */
	__u32	by_event;
	__u32	pieces;
	__u32	piece[S9_PIECES];
	__u32	walk;		/* enum s9_walk_end, at the event */
	__u32	walked;		/* frames in stack[]; 0: it has a copy */
	__u32	guessed;	/* some of them are */
	__u32	reserved;
	struct s9_space	 space;	/* whose stack it is, if a walk was tried */
	char	who[S9_RECORD_HEAD];	/* in the callback */
	struct s9_user	 user;		/* its bytes begin in stack[] */
	struct s9_record k;		/* when it was submitted */
};

/* Whole pages; most stacks fit into the 14 KiB that are left of these. */
#define	S9_ASYNC_SLOT	(16 * 1024)
#define	S9_ASYNC_STACK	(S9_ASYNC_SLOT - sizeof(struct s9_async_head))

struct s9_async_slot {
	union {
		struct {
			struct s9_async_head	h;
			char			stack[S9_ASYNC_STACK];
		};
		struct s9_control		control;
	};
};

/* A walk at an event, and the words of the stack that it reads.  A walk that
 * finds no room is none. */
#define	S9_ROOMS	2	/* of each CPU */
#define	S9_WALK_FRAMES	1024	/* with those of one stride, they fit a slot */
#define	S9_WALK_WORDS	(32 * 1024)
struct s9_walk_room {
	__u64			busy;
	struct s9_walker	walk;
	char			words[S9_WALK_WORDS];
};

/* Context of the program "submit", in and out. */
struct s9_submit {
	__s32	tid;		/* in; 0: only learn the pid namespace */
	__u32	sides;		/* in */
	__u32	now;		/* in: wake it */
	__s32	error;		/* out: 0, or a positive errno */
	__u64	id;		/* out */
};

/* A record in the ring: the id that has become ready; 0: see control.dropped.
 */
struct s9_ready {
	__u64	id;
};

#endif /* STACK9_ASYNC_RECORD_H */
