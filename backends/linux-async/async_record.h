/*
 * Asynchronous captures: what the programs of async.bpf.c and the backend
 * share, as one array that the process has mapped.  Element 0 is the control
 * block, each other one a slot.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_ASYNC_RECORD_H
#define STACK9_ASYNC_RECORD_H

#include "bpf/record.h"

/*
 * An id is the slot's number in its low bits, and its generation: how often
 * the slot has been given out, in a table that was the process's so-and-so
 * many'th.  It is never 0 and never given out twice.
 */
#define	S9_SLOT_BITS	20
#define	S9_SLOT_MASK	((1ull << S9_SLOT_BITS) - 1)
#define	S9_ID(gen, slot)	((gen) << S9_SLOT_BITS | (slot))

/*
 * A slot's word is its generation << 4 | phase, and the one thing that says
 * whose the slot is.  Whoever turns it by a compare-and-exchange owns what
 * follows:
 *
 *	FREE -> HELD		the program's that submits
 *	HELD -> WAITING		nobody's: its task work is on its way
 *	HELD -> DONE		the holder of the id's: no work was needed
 *	WAITING -> WRITING	its thread's, in its callback; or of whoever
 *				knows that the callback will never come
 *	WRITING -> DONE		the holder of the id's
 *	WAITING -> CANCELLED	likewise: the work has been taken back
 *	WRITING -> FORSAKEN	cancelled; its thread is not through with it
 *	FORSAKEN -> CANCELLED	by its thread
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
 * A list of free numbers: its first below, and above it a count of changes,
 * so that a compare-and-exchange notices when the first went and came back.
 * 0: it is empty.  What was never taken is not in it, but from fresh on.
 */
struct s9_free_list {
	__u64	head;
	__u64	fresh;		/* numbers below have been taken before */
	__u64	limit;		/* there are no numbers from here on */
};

/* Pieces of stacks that do not fit in their slots, of a map of their own. */
#define	S9_PIECE	(32 * 1024)
#define	S9_PIECES	16	/* that one stack may have */

struct s9_piece {
	__u64	next;		/* of the free list, of pieces */
	char	bytes[S9_PIECE];
};

/* What a program that is attached to an event submits. */
struct s9_watch {
	__s32	pid;		/* in the process's pid namespace; 0: any */
	__s32	tid;		/* likewise */
	__u32	sides;		/* 0: nothing, it is not attached */
	__u32	turn;		/* so often the element has been taken */
	__u64	cookie;		/* for the slot */
};
#define	S9_WATCHES	16
/* A program's cookie: of an element that has been given to another since it
 * knows by the turn. */
#define	S9_WATCH_COOKIE(number, turn)	((turn) * S9_WATCHES + (number))

struct s9_control {
	struct s9_free_list	slots;
	struct s9_free_list	pieces;
	__u64		dropped;	/* events for which there was no slot */
	__u64		drop_published;	/* 1: a record of it is in the ring */
	__u64		unpublished;	/* 1: a record could not be written */
	__u64		first_gen;	/* of every slot */
	__u64		captured;	/* user sides taken by their threads */
	__u64		inside_ns;	/* which took them so long */
	__u64		ns;		/* the process's pid namespace */
	__u32		level;
	__u32		reserved;
	struct s9_watch	watches[S9_WATCHES];
};

struct s9_async_head {
	__u64	word;
	__u64	next;		/* of the free list, of slots */
	__u64	task;		/* struct task_struct *: whose */
	__u64	cookie;		/* of the watch; 0 */
	__u64	began_ns;	/* in the callback; CLOCK_BOOTTIME */
	__u32	sides;		/* enum stack9_side */
	__s32	error;		/* of the user side: 0, or a positive errno */
	__u32	by_event;
	__u32	pieces;
	__u32	piece[S9_PIECES];
	char	who[S9_RECORD_HEAD];	/* in the callback */
	struct s9_user	 user;		/* its bytes begin in stack[] */
	struct s9_record k;		/* when it was submitted */
};

/* A page has to be left of the first piece: most stacks fit into 14 KiB. */
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

/* Context of the program "submit", in and out. */
struct s9_submit {
	__s32	tid;		/* in; 0: only learn the pid namespace */
	__u32	sides;		/* in */
	__u32	now;		/* in: wake it */
	__s32	error;		/* out: 0, or a positive errno */
	__u64	id;		/* out */
};

/* In the ring: which has become ready; 0: see control.dropped. */
struct s9_ready {
	__u64	id;
};

#endif /* STACK9_ASYNC_RECORD_H */
