/*
 * Decides whether a walk is the whole one of its memo.  It is if each word
 * by which a frame was left is what it was, so only these words are looked at.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_AGAIN_H
#define STACK9_LEARNED_WALK_AGAIN_H

#include "walk_memo.h"
#include "walk_plain.h"

static __always_inline void
s9_begin_list(struct s9_memo *memo)
{
	memo->listed = memo->words = memo->span = memo->by_register = 0;
	memo->slot = 0;
	memo->serial++;
}

/* With a word that is not near enough, the list is of no use. */
static __always_inline void
s9_list_word(struct s9_memo *memo, __u64 at, __u64 is)
{
	__u32 n = *(volatile __u32 *)&memo->words;
	__u64 from = at - (memo->frame[0].sp & ~7ULL);

	if (from > S9_WORDS_ROOM - 8)
		from = memo->span = S9_WORDS_ROOM;
	asm volatile("" : "+r"(n));
	n &= S9_MEMO_WORDS - 1;
	memo->at[n] = (__u16)from;
	memo->is[n] = is;
	memo->words = n + 1;
	if (from > memo->span)
		memo->span = (__u32)from;
}

/* Lists the words by which the noted frame was left; fp: its frame pointer. */
static __always_inline void
s9_list_step(struct s9_memo *memo, __u32 n, const struct s9_place *caller,
    __u64 fp)
{
	struct s9_memo_frame *f = s9_noted(memo, n);

	s9_list_word(memo, caller->sp - 8, caller->pc);
	if (!caller->by_fp)
		return;
	f->fp = fp | S9_BY_FP;
	if (f->fp_at != 0) {
		s9_list_word(memo, f->fp_at, fp);
		return;
	}
	memo->by_register = 1;
	memo->fp = fp;
}

static __always_inline void
s9_end_list(struct s9_memo *memo)
{
	__u32 n = memo->words;

	memo->listed = memo->whole && memo->span < S9_WORDS_ROOM;
	asm volatile("" : "+r"(n));
	if (n == 0 || n > S9_MEMO_WORDS)
		return;
#pragma unroll
	for (__u32 i = 0; i < S9_MEMO_ABREAST - 1; i++) {
		memo->at[n + i] = memo->at[n - 1];
		memo->is[n + i] = memo->is[n - 1];
	}
}

static __always_inline void
s9_leave_memo(struct s9_memo *memo, const struct s9_walker *w)
{
	if (w->noted == 0) {
		s9_judge_memo(memo, w);
	} else {
		memo->frames = w->noted;
		memo->number = w->number;
		memo->whole = w->notes && w->how == S9_WALK_OFF &&
		    w->noted == w->frames;
		memo->anew = memo->partial = 0;
		s9_end_list(memo);
	}
	asm volatile("" : : : "memory");
	memo->busy = 0;
}

/* True if the walk begins as the memo's does, and all of its words have been
 * read. */
static __always_inline int
s9_begins_again(const struct s9_walking *x, __u64 above)
{
	const struct s9_memo *memo = x->memo;
	const struct s9_walker *w = x->w;

	return memo->listed && memo->partial == 0 &&
	    memo->frame[0].pc == w->pc && memo->frame[0].sp == w->sp &&
	    (!memo->by_register || memo->fp == w->fp) &&
	    memo->span + above + 8 <= w->bytes;
}

static __always_inline __u64
s9_listed_word(const struct s9_walking *x, __u64 above, __u32 i)
{
	__u64 at = (x->memo->at[i] + above) & (S9_WORDS_ROOM - 8);

	return *(const __u64 *)(x->words->bytes + at) ^ x->memo->is[i];
}

/* If it is, the walk is over, and unless it has a slot, its pcs are there.  A
 * function of its own is left with one state, however many words were
 * compared. */
static __noinline int
s9_is_again(struct s9_walking *x)
{
	struct s9_walker *w = x->w;
	struct s9_memo *memo = x->memo;
	const __u64 above = (w->sp & ~7ULL) - w->base;
	__u32 n = memo->words, frames = memo->frames;
	__u64 differ = 0;

	if (!s9_begins_again(x, above))
		return 0;
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < S9_MEMO_WORDS; i += S9_MEMO_ABREAST) {
		if (i >= n)
			break;
		differ |= s9_listed_word(x, above, i) |
		    s9_listed_word(x, above, i + 1) |
		    s9_listed_word(x, above, i + 2) |
		    s9_listed_word(x, above, i + 3);
	}
	if (differ != 0)
		return 0;
	w->serial = memo->serial;
	w->frames = w->replayed = frames;
	w->how = S9_WALK_OFF;
	w->top = memo->span + (w->sp & ~7ULL);
	if (memo->number > w->number)
		w->number = memo->number;
	if (w->counts && memo->number_there == w->number)
		w->slot = memo->slot;
	if (w->slot != 0)
		return 1;
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < S9_MEMO_FRAMES; i += S9_MEMO_ABREAST) {
		if (i >= frames || i >= walk_cfg.frames)
			break;
		x->pcs[i] = memo->frame[i].pc;
		x->pcs[i + 1] = memo->frame[i + 1].pc;
		x->pcs[i + 2] = memo->frame[i + 2].pc;
		x->pcs[i + 3] = memo->frame[i + 3].pc;
	}
	return 1;
}

#endif /* STACK9_LEARNED_WALK_AGAIN_H */
