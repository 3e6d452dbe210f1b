/*
 * Says how the frames are chained that a language's runtime keeps of a thread,
 * so that a program which knows no language can follow them: offsets, and what
 * they lead to.  The runtime fills it in; the programs on events read it.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_FRAME_CHAIN_H
#define STACK9_FRAME_CHAIN_H

/* How the frames of a stack are found at an event. */
enum s9_chain_kind {
	S9_CHAIN_NONE = 0,	/* nothing is known of them */
	S9_CHAIN_OF_THREADS,	/* threads are in lists, and have frames */
	S9_CHAIN_OF_PROCESS,	/* one thread has frames, the first one */
	S9_CHAIN_ON_STACK,	/* by the stack alone: it is to be copied */
};

/* The frames that end those which one call of the interpreter's loop runs. */
enum s9_chain_ends {
	S9_ENDS_EACH = 0,	/* each of them */
	S9_ENDS_FLAGGED,	/* those whose byte `owner` has a bit of
				   owner_mask */
	S9_ENDS_WITHOUT_CODE,	/* those with a byte `owner` of least_owner or
				   more: they have no code */
};

#define	S9_CHAIN_FRAME	128	/* bytes of a frame that are looked at */
#define	S9_MOVED	7	/* words of code that are sent */
#define	S9_NOT_THERE	0xffff	/* in place of an offset */

/* Offsets are in bytes.  All are multiples of 8 but those of owner and of
 * copy_index.  A frame and a code object are read up to the last member that
 * has an offset here. */
struct s9_frame_chain {
	unsigned int	kind;		/* enum s9_chain_kind */
	unsigned int	ends;		/* enum s9_chain_ends */
	/* The address of a pointer to the first group of threads, or of a
	 * process to the innermost frame; a group leads to the next one and to
	 * its first thread. */
	unsigned long long	groups;
	unsigned short	next_group, first_thread;
	/* A thread has the neighbours of its list, its group, the word that
	 * pthread_self(3) returns in it, and a frame: of its own, or of a
	 * record that it leads to. */
	unsigned short	next_thread, previous_thread, group, identity;
	unsigned short	frame, frame_in_record;
	/* A frame has code, a position, the frame that called it. */
	unsigned short	code, position, caller, owner;
	unsigned short	frame_bytes;	/* that are read of a frame; */
	unsigned short	frames_lie_together;	/* mostly above their callers */
	unsigned short	least_owner, owner_mask;
	/* A frame is marked if its byte there has these of the mask's bits.
	 * mark: S9_NOT_THERE if none is. */
	unsigned short	mark, mark_mask, mark_bits;
	/* The bits of the word that are the code's address. */
	unsigned long long	code_mask;
	/* 4: the position is a number; 8: an address.  Its distance from the
	 * code object's, or from a word of that, is sent. */
	unsigned int	position_bytes;
	unsigned short	position_base;	/* that word, or S9_NOT_THERE */
	/* A byte of the code object, and its value if there are no positions;
	 * S9_NOT_THERE: there are. */
	unsigned short	code_kind, kind_without;
	/* In builds whose threads have copies of code: the index of a thread's
	 * copy in a frame, the array of copies in the code object, and the
	 * code's own instructions. */
	unsigned short	copy_index, copies, instructions;
	/* Words by which a code object differs from one that was at its address
	 * before: three words of itself, and three of each of the objects that
	 * it leads to; at: S9_NOT_THERE if these are not needed.  Memory that
	 * cannot be read is taken for zeros.  These offsets in the code object,
	 * position_base and code_kind are from code_from. */
	unsigned short	code_from, code_bytes, cookie[3];
	struct {
		unsigned short	at, words[3];
	}	leads[2];
	/* A code object does not outlive its calls if the byte `moving` of a
	 * frame has a bit of moving_mask, or a word of it is 0.  Then these
	 * words of it are sent.  moving: S9_NOT_THERE if none is so, and
	 * moving_without likewise. */
	unsigned short	moving, moving_mask, moving_without;
	unsigned short	moved[S9_MOVED];
};
#define	S9_CHAIN_CODE	256	/* bytes of code that are looked at */
#define	S9_CHAIN_LED	64	/* and of what it leads to */

/*
 * The frames of a stack are sent as pairs of words, innermost first: the
 * address of the code, with S9_WORD_ENDS if the frame ends its share and
 * S9_WORD_MARKED if it is marked; and its position and cookie.  A pair without
 * an address stands for a frame without code.  If the code object does not
 * outlive its calls, the first of the words that are sent of it is in the place
 * of the address, with S9_WORD_MOVED, and the others follow the pair.
 */
#define	S9_WORD_ENDS	1
#define	S9_WORD_MARKED	2
#define	S9_WORD_MOVED	4
#define	S9_WORD_BITS	7	/* an address has none of these */
#define	S9_MOVED_FRAME	(2 + S9_MOVED - 1)	/* words in all */
#define	S9_WORD_FRAME(position, cookie)					\
	((unsigned long long)(position) << 32 | (unsigned int)(cookie))
#define	S9_NO_POSITION	0xffffffffU

/* Mixes three more words. */
static inline __attribute__((always_inline)) unsigned long long
s9_cookie_on(unsigned long long mixed, unsigned long long one,
    unsigned long long two, unsigned long long three)
{
	mixed = (mixed ^ one) * 0x9e3779b97f4a7c15ULL;
	mixed = (mixed ^ mixed >> 32 ^ two) * 0xc2b2ae3d27d4eb4fULL;
	mixed = (mixed ^ mixed >> 32 ^ three) * 0x9e3779b97f4a7c15ULL;
	return mixed ^ mixed >> 32;
}

#endif /* STACK9_FRAME_CHAIN_H */
