/*
 * Remembers a walk of each thread, and decides whether a frame of it leads to
 * its caller again: it does if the word that leads there is the one that was
 * read there before.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_MEMO_H
#define STACK9_LEARNED_WALK_MEMO_H

#include "walk_words.h"

struct s9_walking {
	struct s9_walker	*w;
	__u64			*slots;
	struct s9_words		*words;
	__u64			*pcs;
	struct s9_memo		*memo;
};

#define	S9_MEMO_PATIENCE	4
#define	S9_MEMO_LONGEST		8	/* pauses double up to 2^8 walks */
#define	S9_MEMO_PARTIAL		16	/* walks that are the same in part */

/* Claims the memo of a walk that is about to begin, unless it pauses.  The
 * memo of other mappings is forgotten. */
static __always_inline int
s9_claim_memo(struct s9_memo *memo, const struct s9_walker *w,
    const __u64 *space)
{
	if (w->changing || memo->busy)
		return 0;
	if (memo->pause != 0) {
		memo->pause--;
		return 0;
	}
	if (__sync_lock_test_and_set(&memo->busy, 1) != 0)
		return 0;
	if (memo->space[0] != space[0] || memo->space[1] != space[1] ||
	    memo->stamp != w->stamp) {
		memo->frames = memo->partial = 0;
		memo->anew = 1;
		memo->space[0] = space[0];
		memo->space[1] = space[1];
		memo->stamp = w->stamp;
	}
	return 1;
}

/* Notes the walk that comes next if this one had little of the memo, or several
 * in a row had not all of it.  Each try costs a part of a walk, so the memo
 * pauses where walks have little in common. */
static __always_inline void
s9_judge_memo(struct s9_memo *memo, const struct s9_walker *w)
{
	__u32 useless = memo->useless;

	if (2 * w->replayed >= w->frames) {
		memo->useless = 0;
		memo->partial = w->replayed + 1 >= w->frames ? 0 :
		    memo->partial + 1;
		memo->anew = memo->partial >= S9_MEMO_PARTIAL;
		return;
	}
	if (useless < S9_MEMO_PATIENCE + S9_MEMO_LONGEST)
		useless++;
	memo->useless = useless;
	if (useless >= S9_MEMO_PATIENCE)
		memo->pause = 1U << ((useless - S9_MEMO_PATIENCE) & 15);
	memo->anew = 1;
}

static __always_inline struct s9_memo_frame *
s9_noted(struct s9_memo *memo, __u32 number)
{
	asm volatile("" : "+r"(number));
	return &memo->frame[number & (S9_MEMO_FRAMES - 1)];
}

/* The word at an address, if it has been read; 0 if not: that equals no pc. */
static __always_inline __u64
s9_read_word(const struct s9_walker *w, const struct s9_words *words, __u64 at)
{
	at -= w->base;
	if (at >= w->bytes)
		return 0;
	at &= S9_WORDS_ROOM - 8;
	return *(const __u64 *)(words->bytes + at);
}

/* True if the noted frame leads to the noted caller again. */
static __always_inline int
s9_leads_again(const struct s9_walker *w, const struct s9_words *words,
    const struct s9_memo_frame *f, const struct s9_memo_frame *caller)
{
	__u64 fp = w->fp;

	if (s9_read_word(w, words, caller->sp - 8) != caller->pc)
		return 0;
	if (!(f->fp & S9_BY_FP))
		return 1;
	if (f->fp_at != 0)
		fp = s9_read_word(w, words, f->fp_at);
	return (fp | S9_BY_FP) == f->fp && !(fp & S9_BY_FP);
}

#endif /* STACK9_LEARNED_WALK_MEMO_H */
