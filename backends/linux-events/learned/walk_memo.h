/*
 * Remembers the last walk of each thread, and replays as much of it as its
 * words say.  A frame is replayed only if the word that leads to its caller is
 * the one that was read there before.
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
		memo->frames = 0;
		memo->space[0] = space[0];
		memo->space[1] = space[1];
		memo->stamp = w->stamp;
	}
	return 1;
}

/* Noting a walk costs a part of it, so it pauses where walks have little in
 * common.  replayed: so many frames. */
static __always_inline void
s9_leave_memo(struct s9_memo *memo, const struct s9_walker *w, __u32 replayed)
{
	__u32 useless = memo->useless;

	if (w->noted != 0) {
		memo->frames = w->noted;
		memo->number = w->number;
		memo->whole = w->notes && w->how == S9_WALK_OFF &&
		    w->noted == w->frames;
	}
	if (2 * replayed >= w->frames) {
		memo->useless = 0;
	} else {
		if (useless < S9_MEMO_PATIENCE + S9_MEMO_LONGEST)
			useless++;
		memo->useless = useless;
		if (useless >= S9_MEMO_PATIENCE)
			memo->pause = 1U << ((useless - S9_MEMO_PATIENCE) & 15);
	}
	asm volatile("" : : : "memory");
	memo->busy = 0;
}

static __always_inline struct s9_memo_frame *
s9_noted(struct s9_memo *memo, __u32 number)
{
	asm volatile("" : "+r"(number));
	return &memo->frame[number & (S9_MEMO_FRAMES - 1)];
}

/* The word at an address, if it has been read; else 0, which equals no pc. */
static __always_inline __u64
s9_read_word(const struct s9_walker *w, const struct s9_words *words, __u64 at)
{
	at -= w->base;
	if (at >= w->bytes)
		return 0;
	at &= S9_WORDS_ROOM - 8;
	return *(const __u64 *)(words->bytes + at);
}

/* Whether the noted frame leads to the noted caller again. */
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

#define	S9_REPLAYED	16	/* frames at once */

/* Replays some frames.  0: to be called again. */
static long
s9_replay(__u32 number, struct s9_walking *x)
{
	struct s9_walker *w = x->w;
	struct s9_memo *memo = x->memo;
	__u32 n = w->frames;

	asm volatile("" : "+r"(n));
	if (n > walk_cfg.frames)
		return 1;
#pragma unroll
	for (__u32 i = 0; i < S9_REPLAYED; i++) {
		struct s9_memo_frame *f = s9_noted(memo, n + i);

		x->pcs[n + i] = f->pc;
		if (n + i + 1 >= memo->frames || !s9_leads_again(w, x->words, f,
		    s9_noted(memo, n + i + 1))) {
			w->frames = n + i;
			return 1;
		}
	}
	w->frames = n + S9_REPLAYED;
	return 0;
}

/* Replays what is the same again, and makes the walker ready to leave the first
 * frame that may lead elsewhere.  The number of frames that it has passed. */
static __always_inline __u32
s9_begin_by_memo(struct s9_walking *x)
{
	struct s9_walker *w = x->w;
	struct s9_memo *memo = x->memo;
	struct s9_memo_frame *f = &memo->frame[0];
	int is_whole;
	__u32 n;

	if (memo->frames == 0 || f->pc != w->pc || f->sp != w->sp)
		return 0;
	bpf_loop(S9_MEMO_FRAMES / S9_REPLAYED, s9_replay, x, 0);
	n = w->frames;
	if (n == 0)
		return 0;
	is_whole = memo->whole && n + 1 == memo->frames;
	f = s9_noted(memo, n);
	/* A part of the frames may be of an older list than all are. */
	if (!is_whole && memo->number != w->oldest) {
		w->frames = 0;
		return 0;
	}
	w->number = memo->number;
	if (f->fp_at != 0 && f->fp_at - w->base >= w->bytes) {
		w->frames = 0;		/* its fp has not been read */
		return 0;
	}
	if (f->fp_at != 0)
		w->fp = s9_read_word(w, x->words, f->fp_at);
	w->pc = f->pc;
	w->sp = f->sp;
	w->fp_at = f->fp_at;
	w->top = f->sp;
	w->called = 1;
	if (is_whole) {
		w->frames = n + 1;
		w->how = S9_WALK_OFF;
	} else {
		w->noted = n + 1;
	}
	return n;
}

#endif /* STACK9_LEARNED_WALK_MEMO_H */
