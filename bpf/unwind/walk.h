/*
 * Walks a user stack by learned rules.  Each frame is left as unwind/ leaves
 * it, or the walk ends and has no result: no frame is guessed.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_H
#define STACK9_LEARNED_WALK_H

#include "walk_again.h"
#include "walk_registers.h"
#include "walk_replay.h"

/* No frame after one that was left otherwise than by a plain rule is noted. */
static __always_inline void
s9_note(struct s9_walking *x, const struct s9_place *l, __u32 n)
{
	struct s9_memo_frame *f = s9_noted(x->memo, n);

	if (!*(volatile __u32 *)&x->w->notes)
		return;
	f->pc = l->pc;
	f->sp = l->sp;
	f->fp_at = l->fp_at;
	f->fp = 0;
	x->w->noted = n + 1;
}

/* Keeps the pcs of a stride's frames and goes on to their callers'.  0: to be
 * called again. */
static __always_inline long
s9_walk_on(struct s9_walking *x, int notes)
{
	struct s9_walker *w = x->w;
	struct s9_place l;
	__u32 n = w->frames;

	asm volatile("" : "+r"(n));
	if (n > walk_cfg.frames) {
		w->how = S9_WALK_DEEP;
		return 1;
	}
	s9_get_place(w, &l, notes);
	w->frames = n + w->stride;
#pragma unroll
	for (__u32 i = 0; i < S9_STRIDE; i++) {
		__u64 fp = l.fp;

		/* Read here, for a value that the verifier follows is one
		 * state more for each frame. */
		if (!notes && i != 0 && i == *(volatile __u32 *)&w->stride)
			break;
		x->pcs[n + i] = l.pc;
		if (notes)
			s9_note(x, &l, n + i);
		if (s9_leave_one(x, &l, notes) != 0) {
			w->frames = n + i + 1;
			return 1;
		}
		if (notes)
			s9_list_step(x->memo, n + i, &l, fp);
	}
	s9_set_place(w, &l, notes);
	if (l.sp > w->top)
		w->top = l.sp;
	return 0;
}

/* Replays, or walks on; a walk after a frame of its memo looks for the next one
 * soon, and then at ever larger distances. */
static long
s9_stride(__u32 number, struct s9_walking *x)
{
	struct s9_walker *w = x->w;

	if (w->left != 0 && !w->replays)
		s9_enter_memo(x);
	if (w->replays)
		return s9_replay_on(x);
	if (s9_walk_on(x, 0) != 0)
		return 1;
	if (w->stride < S9_STRIDE)
		w->stride *= 2;
	return 0;
}

/* Notes a walk as long as it is one that a memo can have. */
static long
s9_noting_stride(__u32 number, struct s9_walking *x)
{
	if (!x->w->notes || x->w->frames + S9_STRIDE > S9_MEMO_FRAMES) {
		x->w->notes = 0;
		return 1;
	}
	return s9_walk_on(x, 1);
}

/* True if what the walker remembers is of this space as it is. */
static __always_inline int
s9_remembers(const struct s9_walker *w, const __u64 *space, __u64 memory,
    __u64 reported)
{
	return w->confirmed == w->stamp && !w->changing &&
	    w->reported == reported && w->memory == memory &&
	    w->space[0] == space[0] && w->space[1] == space[1];
}

/* 0; or how the walk ended. */
static __always_inline __u32
s9_enter_space(struct s9_walker *w, const __u64 *space, __u64 memory,
    __u64 reported)
{
	struct s9_mapped *m;

	if (s9_remembers(w, space, memory, reported))
		return S9_WALK_WHOLE;
	w->confirmed = 0;
	m = bpf_map_lookup_elem(&mapped, space);
	if (m == NULL)
		return S9_WALK_NEW_PROCESS;
	if (m->memory == 0)
		m->memory = memory;
	if (m->memory != memory)
		return S9_WALK_STALE;
	w->space[0] = space[0];
	w->space[1] = space[1];
	w->memory = memory;
	w->reported = reported;
	w->oldest = m->oldest;
#pragma unroll
	for (__u32 i = 0; i < S9_NEAR; i++)
		w->near[i].size = 0;
	if (!w->changing)
		w->confirmed = w->stamp;
	return S9_WALK_WHOLE;
}

/* 0; or how the walk ended. */
static __always_inline __u32
s9_begin_walk(struct mm_struct *mm, const __u64 *space, struct s9_walker *w,
    __u64 reported)
{
	__u32 how;

	if (mm == NULL || w->cs != S9_USER_CS)	/* the thread is ending */
		return S9_WALK_STRANGE;
	w->stamp = s9_stamp_of(mm, &w->changing);
	w->top = w->sp;
	w->called = w->frames = 0;
	w->fp_at = 0;
	w->notes = w->noted = w->guessed = 0;
	w->unled = 0;
	w->serial = w->slot = 0;
	w->how = S9_WALK_WHOLE;
	w->now.size = 0;
	how = s9_enter_space(w, space, (__u64)mm, reported);
	w->number = w->oldest;
	return how;
}

static __always_inline void
s9_all_strides(struct s9_walking *x, int has_memo)
{
	struct s9_walker *w = x->w;
	const __u32 most = walk_cfg.frames / S9_STRIDE + 1;

	w->replayed = w->replays = w->left = 0;
	w->stride = S9_STRIDE;
	if (has_memo) {
		w->notes = x->memo->anew;
		if (w->notes) {
			s9_begin_list(x->memo);
			bpf_loop(most, s9_noting_stride, x, 0);
		} else if (!s9_is_again(x)) {
			s9_begin_replay(x);
		}
	}
	/* More than it takes: there are short strides, and replays of no
	 * frame. */
	if (w->how == S9_WALK_WHOLE)
		bpf_loop(4 * most + S9_STRIDE, s9_stride, x, 0);
	if (has_memo)
		s9_leave_memo(x->memo, w);
}

/*
 * Walks the user side of the current thread, from the registers in w, into
 * pcs.  There is room for walk_cfg.frames.  Returns how the walk ended and,
 * if it is whole, stores the number of the first list that had all of its
 * code.
 */
static __always_inline __u32
s9_walk_by_rules(struct task_struct *p, const __u64 *space, struct s9_walker *w,
    struct s9_words *words, __u64 *pcs, __u32 *number)
{
	struct s9_walking x = {w, s9_slots(), words, pcs, NULL};
	__u32 how, index = S9_GET(p, pid) & walk_cfg.memo_mask;
	struct mm_struct *mm;
	__u64 sp;

	if (!s9_has_witness())
		return S9_WALK_NO_WITNESS;
	x.memo = bpf_map_lookup_elem(&memos, &index);
	if (x.memo == NULL || x.slots == NULL)
		return S9_WALK_OFF;
	mm = p->mm;
	how = s9_begin_walk(mm, space, w, s9_reported(x.slots));
	if (how != S9_WALK_WHOLE)
		return how;
	sp = w->sp;
	if (s9_first_words(p, mm, x.memo, w, words) != 0)
		return S9_WALK_FAULT;
	s9_all_strides(&x, s9_claim_memo(x.memo, w, space));
	*number = w->number;
	s9_keep_span(p, x.memo, w, sp);
	if (w->how == S9_WALK_WHOLE || w->frames > walk_cfg.frames)
		return S9_WALK_DEEP;
	return w->how == S9_WALK_OFF ? S9_WALK_WHOLE : w->how;
}

#endif /* STACK9_LEARNED_WALK_H */
