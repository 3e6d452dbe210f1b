/*
 * Replays the part of a walk that is the same as in the thread's memo.  A walk
 * enters the memo at its innermost frame, and after each stride at a frame
 * whose pc, sp and fp are its own.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_REPLAY_H
#define STACK9_LEARNED_WALK_REPLAY_H

#include "walk_memo.h"

#define	S9_REPLAYED	16	/* frames at once */
#define	S9_PASSED	8	/* noted frames that a walk looks at, at once */

/* Goes on to the noted frame's caller. */
static __always_inline void
s9_pass_noted(struct s9_walker *w)
{
	w->old++;
	w->left--;
	w->stride = w->left != 0 ? 1 : S9_STRIDE;
}

static __always_inline void
s9_begin_replay(struct s9_walking *x)
{
	struct s9_walker *w = x->w;
	const struct s9_memo_frame *f = s9_noted(x->memo, 0);

	w->old = 0;
	w->left = x->memo->frames;
	w->replays = w->left != 0 && f->pc == w->pc && f->sp == w->sp;
	/* A frame in the middle is not an innermost one: its pc is a return
	 * address. */
	if (w->left != 0 && !w->replays)
		s9_pass_noted(w);
}

/* Makes the walker ready to leave the noted frame f.  0; or the walk ends. */
static __always_inline long
s9_stop_at(struct s9_walking *x, const struct s9_memo_frame *f)
{
	struct s9_walker *w = x->w;
	__u64 fp;

	if (f->fp_at != 0) {
		if (s9_word_at(w, x->words, f->fp_at, &fp)) {
			w->how = S9_WALK_FAULT;
			return 1;
		}
		w->fp = fp;
	}
	w->pc = f->pc;
	w->sp = f->sp;
	w->called = 1;
	if (w->sp > w->top)
		w->top = w->sp;
	return 0;
}

/* The walk is whole: the frame that is its number n, and to which so many were
 * replayed at last, is the outermost. */
static __always_inline void
s9_end_walk(struct s9_walking *x, __u32 n, __u32 some,
    const struct s9_memo_frame *f)
{
	struct s9_walker *w = x->w;

	w->replayed += some;
	w->frames = n + 1;
	w->how = S9_WALK_OFF;
	if (f->sp > w->top)
		w->top = f->sp;
	if (x->memo->number > w->number)
		w->number = x->memo->number;
}

/* The noted frame f, number n of the walk, does not lead to the noted caller,
 * or has none there.  0: the walk goes on. */
static __always_inline long
s9_end_replay(struct s9_walking *x, __u32 n, __u32 some,
    const struct s9_memo_frame *f)
{
	struct s9_walker *w = x->w;

	w->replays = 0;
	/* A part of the frames may be of an older list than all are. */
	if (x->memo->number > w->number) {
		w->frames = w->replayed = w->left = 0;
		return 0;
	}
	w->frames = n;
	w->replayed += some;
	w->old += some;
	w->left -= some;
	s9_pass_noted(w);
	return w->old == 1 ? 0 : s9_stop_at(x, f);
}

/* Replays some frames.  0: to be called again. */
static __always_inline long
s9_replay_on(struct s9_walking *x)
{
	struct s9_walker *w = x->w;
	struct s9_memo *memo = x->memo;
	const struct s9_memo_frame *f, *caller = s9_noted(memo, w->old);
	__u32 n = w->frames, old = w->old, left = w->left;

	asm volatile("" : "+r"(n));
	if (n > walk_cfg.frames)
		return 1;
#pragma unroll
	for (__u32 i = 0; i < S9_REPLAYED; i++) {
		f = caller;
		caller = s9_noted(memo, old + i + 1);
		x->pcs[n + i] = f->pc;
		if (i + 1 == left && memo->whole) {
			s9_end_walk(x, n + i, i, f);
			return 1;
		}
		if (i + 1 == left || !s9_leads_again(w, x->words, f, caller))
			return s9_end_replay(x, n + i, i, f);
	}
	w->frames = n + S9_REPLAYED;
	w->replayed += S9_REPLAYED;
	w->old = old + S9_REPLAYED;
	w->left = left - S9_REPLAYED;
	return 0;
}

/* True if the walk is at this noted frame. */
static __always_inline int
s9_is_at(const struct s9_walking *x, const struct s9_memo_frame *f)
{
	const struct s9_walker *w = x->w;

	if (f->sp != w->sp || f->pc != w->pc || !w->called ||
	    x->memo->number > w->number)
		return 0;
	return f->fp_at == 0 || (f->fp_at - w->base < w->bytes &&
	    s9_read_word(w, x->words, f->fp_at) == w->fp);
}

/* Looks for the frame of the walk among those that are left of the memo. */
static __always_inline void
s9_enter_memo(struct s9_walking *x)
{
	struct s9_walker *w = x->w;
	const struct s9_memo_frame *f = s9_noted(x->memo, w->old);
	__u32 left = w->left;

#pragma unroll
	for (__u32 i = 1; i <= S9_PASSED; i++) {
		if (f->sp >= w->sp || left == 1)
			break;
		f = s9_noted(x->memo, w->old + i);
		left--;
	}
	w->old += w->left - left;
	w->left = left;
	w->replays = s9_is_at(x, f);
}

#endif /* STACK9_LEARNED_WALK_REPLAY_H */
