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
	S9_CHAIN_OF_POINTER,	/* the thread pointer leads to them */
	S9_CHAIN_OF_STATES,	/* words of the stack lead to states, and these
				   to frames */
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
#define	S9_STEPS	4	/* from a thread pointer to a record */

/*
 * An object that is reported by its address, with words by which it differs
 * from one that was there before: three words of itself, and three of each of
 * the objects that it leads to; at: S9_NOT_THERE if these are not needed.
 * Memory that cannot be read is taken for zeros.  If `through` is an offset,
 * all this is said of the object that a pointer there leads to.  Offsets of
 * words are from `from`.  `at` with S9_IN_LED is an offset in the object that
 * was led to before.
 */
#define	S9_IN_LED	1
#define	S9_LEADS	4
struct s9_reported_object {
	unsigned short	through, from, bytes, cookie[3];
	struct {
		unsigned short	at, words[3];
	}	leads[S9_LEADS];
	/* So many words from `from` are mixed, too; a multiple of 3. */
	unsigned short	mixed;
	/* And a text: `at` is the offset of its address; bytes: 0: there is
	 * none.  A text has a kind in a byte, its length in a byte if it is a
	 * short one and in a word otherwise, and its bytes. */
	struct {
		unsigned short	at, bytes, kind, is_short, short_length,
				length;
	}	text;
};
#define	S9_MIXED	12	/* words at most */

/*
 * A thread that has stacks of contexts.  The contexts of a stack are in an
 * array, innermost last.  A context is of a call, of an eval or of a block.
 *
 * A statement is an object of_code, and an operation lies near the statement
 * that it is in.  A callee is an object of_callee.  If its word `flags` has no
 * bit of `named`, its word `name` leads to an object of_entry with its name.
 */
struct s9_contexts {
	/* Where the record of a thread has the current statement, the current
	 * operation, and the innermost stack; of a process, addresses. */
	unsigned long long	statement, operation, stack;
	unsigned short	bytes;		/* of a context; 0: there are none */
	/* A stack has an array, the stack around it, the number of the last
	 * context, and a kind.  One of the kind `comparing` stands for a call
	 * of C if it has no context that does. */
	unsigned short	array, around, last, stack_kind, comparing;
	/* A context has a kind in its first byte, the statement that it came
	 * from, the operation that it goes back to (0: it goes back to C), and
	 * a callee, or a record of the handlers of errors. */
	unsigned short	from, back, callee, handler;
	unsigned short	kind_mask, call, another_call, eval;
	unsigned short	again;		/* bit: it is no frame, and a call in it
					   that goes back to C does so for
					   both */
	unsigned short	flags, name;
	unsigned long long	named;
	struct s9_reported_object	of_callee;
};

/*
 * A thread whose frames are those of states.  Nothing but words of its stack
 * and of its registers lead to a state.  One that runs has the address of
 * memory on this stack that was taken when it was entered.  Below that lies all
 * that it has called, and other states that it has resumed; between them are
 * words that lead to it.
 *
 * The outermost frame of a state is a part of the state, and of no call.  A
 * frame has the address of a value: a word, and a byte that says its kind.  The
 * word is a function of C, or leads to an object that has code, or to one that
 * has a function of C.
 */
struct s9_states {
	unsigned short	bytes;		/* of a state; 0: there are none */
	unsigned short	kind, kind_value;	/* a byte, and its value */
	unsigned short	entered;	/* it has the address there */
	unsigned short	room;		/* that words which lead to the state
					   may be above the address */
	unsigned short	outermost, global;
	/* A word of it, without the low bits, is the address of a word whose
	 * value is that of the state's address and back_is. */
	unsigned short	leads, back, back_is;
	unsigned short	value_kinds, value_code, value_function, value_object;
	unsigned short	of_value;	/* in both objects */
	unsigned short	status;		/* two bytes of a frame, */
	unsigned short	status_mask;	/* of which these bits are sent */
	/* The number of instructions of a code object, from of_code.from, if a
	 * frame's position may be that of an earlier instruction; S9_NOT_THERE:
	 * it never is. */
	unsigned short	count;
};

/* Offsets are in bytes.  All are multiples of 8 but those of bytes, of numbers
 * and of copy_index.  A frame and a code object are read up to the last member
 * that has an offset here. */
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
	/* position_base and code_kind are from of_code.from. */
	struct s9_reported_object	of_code;
	/* A code object does not outlive its calls if the byte `moving` of a
	 * frame has a bit of moving_mask, or a word of it is 0.  Then these
	 * words of it are sent.  moving: S9_NOT_THERE if none is so, and
	 * moving_without likewise. */
	unsigned short	moving, moving_mask, moving_without;
	unsigned short	moved[S9_MOVED];
	/* A frame without code that is marked has the address of an object
	 * that waits for another one; waiting: S9_NOT_THERE if none does.  The
	 * object leads to the one that it waits for, and has a frame, unless it
	 * waits for none. */
	unsigned short	waiting, waits_for, frame_of_waiting;
	/* From the thread pointer to the record of the thread that has `frame`,
	 * and from there to a word that is the thread pointer; S9_NOT_THERE
	 * ends both. */
	unsigned short	path[S9_STEPS], proof[S9_STEPS];
	/* Frames in an array: the bytes of one (0: they are not in any), and
	 * where a record has the address of the memory in which they are, and
	 * its size in words.  The outermost frame is the last one. */
	unsigned short	step, array, array_words;
	/* A frame has the address of the flags of its environment;
	 * S9_NOT_THERE: it has none.  Before the flags are the environment
	 * around it, and a value that may be the entry.  An entry is of the
	 * method that runs.  The innermost entry of the environments around a
	 * frame is its own. */
	unsigned short	environment;
	/* These are values and bits of the flags.  A frame of the hidden kind
	 * is not reported, and no frame with code but without a position.  A
	 * frame without code is a function if it is of that kind; otherwise it
	 * is not reported. */
	unsigned int	kind_mask, kind_hidden, kind_function, flag_ends,
			flag_outermost;
	/* A value is the address of an object.  Its first word says what it
	 * is: an entry or, in an outermost environment, an object that leads
	 * to one. */
	unsigned int	value_mask, value_entry, value_leads;
	unsigned short	value_at;
	struct s9_reported_object	of_entry;
	struct s9_contexts	contexts;
	struct s9_states	states;
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
 *
 * After a marked frame without code come the frames of the objects that wait,
 * outermost first, and a pair of zeros.
 *
 * If frames have environments, the entry of a frame is a pair after it, with
 * S9_WORD_MARKED and without a position.  A function is a pair of its entry
 * alone, with S9_WORD_ENDS, too; without an address if it has no entry.
 *
 * If there are contexts, a statement is a pair with S9_WORD_MARKED and the
 * distance of the operation.  The first pair is the current one.  Each other
 * one follows the pair of a context that is a frame, and is the place that this
 * came from.
 * The pair of a call has the object of its name, and S9_WORD_ENDS if it goes
 * back to C; the pair of a comparison has no address.  The pair of an eval has
 * its handler with both bits, the low bits of what the handler leads to, and
 * bits of S9_EVAL_*.  If all contexts were reported, the last pair has
 * S9_WORD_MARKED and no address.
 *
 * If there are states, the first pair of each has its global object and both
 * bits.  The frames follow, innermost first, and the next state around them.  A
 * frame of C is marked.  A position is the number of the next instruction, or
 * the low bits of the address of a function of C, above S9_STATUS bits of the
 * frame's status.
 */
#define	S9_STATUS	10
#define	S9_STATUS_EARLIER (1U << 9)	/* the position may be an earlier one */
#define	S9_EVAL_WITHIN	1	/* what the handler leads to leads on */
#define	S9_EVAL_ENTERED	2	/* it goes back to C */
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
