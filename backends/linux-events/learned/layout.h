/*
 * Defines what the walk by learned rules and its teacher share: the table of
 * rules, the code that a process has mapped, and how a walk ended.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_LAYOUT_H
#define STACK9_LEARNED_LAYOUT_H

#include <linux/types.h>

/*
 * A slot of the table of rules: a key and its rule in one word, so that a
 * single store teaches a rule.  A slot that is not 0 never changes again.  The
 * key is the number of a file and an offset in it.  The rule is that of
 * unwind/rule.h, as far as it fits: the saved frame pointer is at most 7 words
 * below the CFA.  A key is in the slot that its hash names, or in the first
 * slot that was free of those whose numbers differ from it by an exclusive or
 * with 1, 2 and so on: the first 8 of them are in one cache line.
 */
#define	S9_RULE_BITS	20
#define	S9_RULE_MASK	((1ULL << S9_RULE_BITS) - 1)
#define	S9_OFFSET_BITS	32
#define	S9_FILES	4096	/* numbers of files; 0 is none */
#define	S9_WAYS		16

/* The first slot of a key. */
#define	S9_SLOT_OF_KEY(key, bits)					\
	((key) * 0x9e3779b97f4a7c15ULL >> (64 - (bits)))

/*
 * Code that a process has mapped from a file.  The kernel is asked whether it
 * is still mapped so whenever the process has mapped or unmapped anything
 * since: then the stamp differs.
 */
struct s9_code {
	__u64	start, size;
	__u64	key;		/* of the byte at start */
	__u64	stamp;		/* of the last answer; 0: not asked yet */
	__u64	inode, page;	/* page: the file's, of start */
	__u64	changed_s;	/* the file's time of change, */
	__u32	changed_ns;
	__u32	device;		/* as the kernel writes it */
	__u64	bytes;		/* and its size */
};

#define	S9_MOST_CODE	128	/* mappings of one process */
#define	S9_MOST_SPACES	1024
#define	S9_SLOT_BITS	19	/* 4 MiB of slots */

/* The mappings of a process.  The teacher replaces them as a whole. */
struct s9_mapped {
	__u64	memory;		/* the kernel's mm_struct; 0: not known yet */
	__u32	number;		/* that the teacher gave, from 1 on */
	__u32	count;
	__u32	stale;		/* it was found to be mapped otherwise */
	__u32	reserved;
	struct s9_code	code[S9_MOST_CODE];	/* by address */
};

/* How a walk ended. */
enum s9_walk_end {
	S9_WALK_WHOLE = 0,	/* each frame by its rule, to the outermost */
	S9_WALK_OFF,		/* none was tried */
	S9_WALK_NO_WITNESS,	/* the kernel does not tell when mappings
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
};

/* A walk under way.  It is in a map, not on the program's stack: the verifier
 * does not follow values there, so it need not follow each frame. */
struct s9_walker {
	__u64	pc, sp, fp;
	__u64	start, size;	/* the code of the last frame, */
	__u64	key;		/* and the key of its start */
	__u64	base, bytes;	/* the words that are read already */
	__u64	end;		/* of the stack, if it is known; else 0 */
	__u64	top;		/* the highest word that was used */
	__u64	stamp;
	__u32	called;		/* pc is a return address */
	__u32	frames;
	__u32	how;		/* enum s9_walk_end */
	__u32	cs;		/* the code segment: of 64-bit programs? */
	__u32	index;		/* of the code that is searched for */
	__u32	reserved;
};

/* How much of its stack a thread's last walk needed. */
struct s9_span {
	__u32	tid;
	__u32	bytes;
};

#define	S9_SPANS	4096	/* a power of 2 */

/* The configuration, which is set before the programs are loaded. */
struct s9_walk_config {
	__u32	slot_bits;	/* of the number of slots; 0: no walks */
	__u32	frames;		/* of a walk, at most */
};

#endif /* STACK9_LEARNED_LAYOUT_H */
