/*
 * Defines what the walk by learned rules and its publisher share: the table of
 * rules, the code that a process has mapped, and how a walk ended.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_LAYOUT_H
#define STACK9_LEARNED_LAYOUT_H

#include <linux/types.h>

/*
 * Identifies an address space for good.  An execve(2) gives the same process
 * another address space.  The kernel counts them, for parents that signal a
 * child which has become another program since.  All 0: no process.
 */
struct s9_space {
	__u64	start_ns;	/* start_boottime of the process */
	__u32	pid;		/* in the init pid namespace */
	__u32	execs;		/* task_struct.self_exec_id */
};

/*
 * A slot of the table of rules: a key and its rule in one word, so that a
 * single store publishes a rule.  A slot that is not 0 never changes again.
 * The publisher fills slots, and so do the programs for callers that they have
 * found in rows.  The key is the number of a file and an offset in it.  The
 * rule is that of unwind/rule.h, as far as it fits: the saved frame pointer is
 * at most 7 words below the CFA.  A key is in the slot that its hash names, or
 * in the first slot that was free of those whose numbers differ from it by an
 * exclusive or with 1, 2 and so on: the first 8 of them are in one cache line.
 */
#define	S9_RULE_BITS	20
#define	S9_RULE_MASK	((1ULL << S9_RULE_BITS) - 1)
#define	S9_OFFSET_BITS	32
#define	S9_FILES	3072	/* numbers of files; 0 is none */
#define	S9_WAYS		16

/* When the slots of a key are full, it has slots in the next part of the table.
 * The programs fill slots of the first part only. */
#define	S9_MORE_PARTS	31
#define	S9_FULL		(1U << 31)	/* in place of a rule: full slots */

/* One more word follows the first part's slots: the number of lists of code
 * that the publisher has given so far. */

/*
 * Code that the process has made while it ran: executable memory of no file.
 * Its rules have keys of their own (jit_key.h), of kind sp for frames of known
 * size and of kind fp for those that are left by their frame pointer.
 */
#define	S9_MADE_KEY	(3ULL << 42)
#define	S9_IS_MADE(key)	((key) >> 42 == 3)

/* A file's code without unwind information has kind absent, and in place of
 * saved, whether its frames are left by their frame pointer: */
#define	S9_ABSENT_CALLED 1	/* where pc is a return address, */
#define	S9_ABSENT_EXACT	2	/* and where it is not */
/* A rule that does not follow it from a return address may have a size: the
 * code removes such a frame, pops the frame pointer last, and returns.  That
 * leads to the same place if the frame pointer is at the end of this size.
 * The third is for rules that do not say it; the bytes around the pc do: */
#define	S9_ABSENT_BY_CODE 4

/* The first slot of a key. */
#define	S9_SLOT_OF_KEY(key, bits)					\
	((key) * 0x9e3779b97f4a7c15ULL >> (64 - (bits)))

/*
 * The rows of a page of a file: a row has a rule, and the place in the page
 * from which on the rule holds.  A page's rows follow one another, by their
 * places, and the first place is 0.  Rule 0: the rows do not say it; a slot
 * may.  Two rows are in one element, because elements have 8 bytes at least.
 */
#define	S9_CODE_PAGE	4096
#define	S9_ROW(place, rule)	((__u32)(place) << S9_RULE_BITS | (rule))

/* An element of the pages: the first row of a page and their number.  0: it is
 * not known yet.  A page that is known never changes again. */
#define	S9_PAGE_ROWS(first, n)	((__u64)(first) << 16 | (n))
#define	S9_FIRST_ROW(page)	((__u32)((page) >> 16))
#define	S9_ROW_COUNT(page)	((__u32)(page) & 0xffff)

/*
 * Code that a process has mapped from a file.  The kernel is asked whether it
 * is still mapped so whenever the process has mapped or unmapped anything
 * since: then the stamp differs.
 */
struct s9_code {
	__u64	start, size;
	__u64	key;		/* of the byte at start */
	__u64	stamp;		/* of the last answer; 0: not asked yet */
	__u64	gone;		/* the stamp at which it was found to be mapped
				   otherwise, or 0 */
	__u64	area;		/* the kernel's vm_area_struct that gave it */
	__u64	inode, page;	/* page: the file's, of start; inode 0: it is
				   the vdso, or JIT code */
	__u64	changed_s;	/* the file's time of change, */
	__u32	changed_ns;
	__u32	device;		/* as the kernel writes it */
	__u64	bytes;		/* and its size */
	__u32	first;		/* what is known of its first page; 0: of none
				   of its pages anything can be known */
	__u32	since;		/* the number of the first list that had it */
};

/* The part of s9_code that each walk needs, once the code is confirmed. */
struct s9_known_code {
	__u64	start, size;
	__u64	key;		/* of the byte at start */
	__u32	first, since;	/* as in s9_code */
};
#define	S9_NEAR		4	/* that a walker remembers; a power of 2 */

#define	S9_MOST_CODE	128	/* mappings of one process */
#define	S9_MOST_SPACES	1024
/* The sizes at the beginning, unless less memory is allowed. */
#define	S9_TABLE_BITS	18	/* 2 MiB of slots */
#define	S9_ROWS		(1U << 20)	/* 4 MiB */
#define	S9_PAGES	(1U << 16)	/* half a MiB, for 256 MiB of code */

/* The mappings of a process.  The publisher replaces them as a whole, and the
 * kernel may use their memory for another list at once.  So both ends have the
 * serial number of the list. */
struct s9_mapped {
	__u64	serial;
	__u64	memory;		/* the kernel's mm_struct; 0: not known yet */
	__u32	oldest;		/* the least number of its code */
	__u32	count;
	struct s9_code	code[S9_MOST_CODE];	/* by address */
	__u64	serial_again;
};

/* How a walk ended. */
enum s9_walk_end {
	S9_WALK_WHOLE = 0,	/* each frame by its rule, to the outermost */
	S9_WALK_OFF,		/* none was tried */
	S9_WALK_NO_WITNESS,	/* the kernel does not show when mappings
				   change */
	S9_WALK_NEW_PROCESS,
	S9_WALK_STALE,		/* mappings have changed */
	S9_WALK_NEW_CODE,	/* code that is not in the list */
	S9_WALK_NEW_RULE,	/* a pc without a rule */
	S9_WALK_NO_RULE,	/* unwind information that no rule can hold */
	S9_WALK_BUSY,		/* mappings are changing just now */
	S9_WALK_FAULT,		/* memory that cannot be read just now */
	S9_WALK_DEEP,
	S9_WALK_STRANGE,	/* registers of a 32-bit program, no progress */
	S9_WALK_COUNTED,	/* whole; and the event has been counted */
};

/* A walk under way.  It is in a map, not on the program's stack: the verifier
 * does not follow values there, so it need not follow each frame. */
struct s9_walker {
	__u64	pc, sp, fp;
	struct s9_known_code	now;	/* that of the last frame */
	__u64	base, bytes;	/* the words that are read already */
	__u64	end;		/* of the stack; 0: it is not known */
	__u64	top;		/* the highest word that was used */
	__u64	stamp;
	__u32	called;		/* pc is a return address */
	__u32	frames;
	__u32	how;		/* enum s9_walk_end */
	__u32	cs;		/* the code segment: of 64-bit programs? */
	__u32	index;		/* of the code that is searched for */
	__u32	next;		/* of near, to be replaced */
	__u32	changing;	/* mappings are just now */
	__u32	by_fp;		/* the last step was */
	__u64	fp_at;		/* fp was read there; 0: it is the register */
	__u32	notes;		/* the walk is noted in a memo, */
	__u32	noted;		/* and so many of its frames are */
	__u64	unled;		/* where sp is so, the frames before have to
				   lead to unwind information */
	__u32	guessed;	/* frames had none */
	__u32	replayed;	/* frames that the memo had */
	__u32	replays;	/* the walk is at a frame of its memo, */
	__u32	old;		/* that has this number, or is after it, */
	__u32	left;		/* and so many are left from there on; */
	__u32	stride;		/* they are looked at after so many frames */
	__u32	counts;		/* asked for: the slot, and not the frames, of a
				   walk that is the whole one of the memo */
	__u32	slot;		/* 0: the memo does not know it */
	__u64	serial;		/* of the memo; 0: it is not such a walk */

	/* Kept from walk to walk: code that was confirmed at one stamp. */
	__u64	space[2];	/* struct s9_space */
	__u64	memory;		/* the kernel's mm_struct */
	__u64	confirmed;	/* the stamp; 0: nothing is kept */
	__u64	reported;		/* lists so far */
	__u32	oldest;		/* as in s9_mapped */
	__u32	number;		/* of this walk: that of the first list which
				   had all of its code */
	struct s9_known_code	near[S9_NEAR];
};

/*
 * A walk of a thread, as unwind/memo.h has it.  The place of a frame's caller
 * is a function of the frame's pc and sp, of fp if the rule has the CFA in fp,
 * and of the words that the rule reads.  So a walk that comes to one of the
 * frames is the same from there on as far as these words are the same, if
 * nothing was mapped since.
 */
#define	S9_MEMOS	256	/* threads, at least */
#define	S9_MEMO_FRAMES	128	/* a power of 2 */
#define	S9_MEMO_WORDS	256	/* two for each frame */
#define	S9_MEMO_ABREAST	4	/* words that are compared at once */

struct s9_memo_frame {
	__u64	pc;
	__u64	sp;
	__u64	fp_at;		/* as in s9_walker */
	__u64	fp;		/* | S9_BY_FP: the next frame is found by it;
				   otherwise without a meaning */
};
#define	S9_BY_FP	1

struct s9_memo {
	__u32	busy;		/* a program has it */
	__u32	frames;
	__u64	space[2];	/* struct s9_space */
	__u64	stamp;		/* as in s9_walker */
	__u32	number;		/* as in s9_walker */
	__u32	whole;		/* the last frame is the outermost */
	__u32	anew;		/* the next walk is to be noted */
	__u32	partial;	/* walks in a row that found not all of it, */
	__u32	useless;	/* and those that found little */
	__u32	pause;		/* walks until it is used again */
	__u32	tid;		/* whose last walk needed */
	__u32	bytes;		/* so much of its stack */
	__u64	serial;		/* of what is noted */
	__u32	slot;		/* where the events of the whole walk are
				   counted, 0: not known; */
	__u32	number_there;	/* and the walk's number there */
	__u32	listed;		/* all words of a whole walk are below, */
	__u32	words;		/* so many, */
	__u32	span;		/* at most so far above the innermost sp */
	__u32	by_register;	/* a frame is left by the register fp, */
	__u64	fp;		/* which was this */
	struct s9_memo_frame	frame[S9_MEMO_FRAMES];
	/* The words by which the frames were left: their distance from the
	 * innermost sp in bytes, and their value.  Several are compared at
	 * once, so the last one is there several times. */
	__u16	at[S9_MEMO_WORDS + S9_MEMO_ABREAST];
	__u64	is[S9_MEMO_WORDS + S9_MEMO_ABREAST];
};

#define	S9_STRIDE	8	/* frames that are walked at once */

/* The configuration.  It is set before the programs are loaded. */
struct s9_walk_config {
	__u32	slot_bits;	/* of the number of slots; 0: no walks */
	__u32	frames;		/* of a walk, at most */
	__u32	more_parts;	/* S9_MORE_PARTS at most */
	__u32	memo_mask;	/* of the number of memos, a power of 2 */
};

#endif /* STACK9_LEARNED_LAYOUT_H */
