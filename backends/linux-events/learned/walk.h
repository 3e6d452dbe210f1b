/*
 * Walks a user stack by learned rules.  Each frame is left as unwind/ leaves
 * it, or the walk ends and has no result: no frame is guessed.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_H
#define STACK9_LEARNED_WALK_H

#include "walk_frames.h"
#include "walk_memo.h"
#include "walk_registers.h"

/* Where a walk is, in registers. */
struct s9_place {
	__u64	pc, sp, fp, fp_at;
	__u64	by_fp;		/* all bits, or none: the last step was */
};

/*
 * Leaves the frame of a call, if its code is that of the frame before, its rule
 * is in its first slot and says sp or fp, and the words that it takes are read
 * already.  1: so it is not.  Only these questions are branches: what the rule
 * says is not foreseen by the CPU.
 */
static __always_inline int
s9_leave_plain(const struct s9_walker *w, const struct s9_words *words,
    struct s9_place *l)
{
	__u64 offset = l->pc - 1 - w->start, key = w->key + offset;
	__u64 slot, cfa, saved, has, is_fp, at, at_fp, pc, fp;

	if (offset >= w->size)
		return 1;
	slot = s9_slot(s9_first_slot(key));
	if (slot >> S9_RULE_BITS != key ||
	    S9_RULE_KIND(slot) - S9_RULE_SP > S9_RULE_FP - S9_RULE_SP)
		return 1;
	is_fp = -(slot >> 1 & 1);
	cfa = l->sp + ((l->fp - l->sp) & is_fp) + S9_RULE_CFA(slot);
	saved = S9_RULE_SAVED(slot);
	has = -((saved + 56) >> 6);	/* all bits, unless it is 0 */
	at = cfa - 8 - w->base;
	at_fp = at + ((8 - saved) & has);
	if (cfa <= l->sp || (cfa & 7) != 0 || at >= w->bytes ||
	    at_fp >= w->bytes)
		return 1;
	at &= S9_WORDS_ROOM - 8;
	at_fp &= S9_WORDS_ROOM - 8;
	pc = *(const __u64 *)(words->bytes + at);
	fp = *(const __u64 *)(words->bytes + at_fp);
	if (pc == 0)
		return 1;
	l->fp ^= (l->fp ^ fp) & has;
	l->fp_at ^= (l->fp_at ^ (cfa - saved)) & has;
	l->by_fp = is_fp;
	l->sp = cfa;
	l->pc = pc;
	return 0;
}

#define	S9_STRIDE	4	/* frames */

/* Goes from a frame to its caller's.  0; or the walk has ended. */
static __always_inline int
s9_leave_one(struct s9_walking *x, struct s9_place *l)
{
	struct s9_walker *w = x->w;

	if (w->called && s9_leave_plain(w, x->words, l) == 0)
		return 0;
	w->pc = l->pc;
	w->sp = l->sp;
	w->fp = l->fp;
	w->fp_at = l->fp_at;
	if (s9_leave_any(w, x->m, x->words) != S9_WALK_WHOLE)
		return 1;
	l->pc = w->pc;
	l->sp = w->sp;
	l->fp = w->fp;
	l->fp_at = w->fp_at;
	l->by_fp = w->by_fp;
	return 0;
}

/* Notes the pcs of some frames and goes on to their callers'.  0: to be called
 * again. */
static long
s9_stride(__u32 number, struct s9_walking *x)
{
	struct s9_walker *w = x->w;
	struct s9_place l = {w->pc, w->sp, w->fp, w->fp_at, 0};
	__u32 n = w->frames;

	asm volatile("" : "+r"(n));
	if (n > walk_cfg.frames) {
		w->how = S9_WALK_DEEP;
		return 1;
	}
	if (n + S9_STRIDE > S9_MEMO_FRAMES)
		w->notes = 0;
	w->frames = n + S9_STRIDE;
#pragma unroll
	for (__u32 i = 0; i < S9_STRIDE; i++) {
		__u64 fp = l.fp;

		x->pcs[n + i] = l.pc;
		if (w->notes) {
			struct s9_memo_frame *f = s9_noted(x->memo, n + i);

			f->pc = l.pc;
			f->sp = l.sp;
			f->fp_at = l.fp_at;
			f->fp = 0;
			w->noted = n + i + 1;
		}
		if (s9_leave_one(x, &l) != 0) {
			w->frames = n + i + 1;
			return 1;
		}
		if (w->notes && l.by_fp)
			s9_noted(x->memo, n + i)->fp = fp | S9_BY_FP;
	}
	w->pc = l.pc;
	w->sp = l.sp;
	w->fp = l.fp;
	w->fp_at = l.fp_at;
	if (l.sp > w->top)
		w->top = l.sp;
	return 0;
}

/* 0; or how the walk ended. */
static __always_inline __u32
s9_begin_walk(struct mm_struct *mm, struct s9_mapped *m, struct s9_walker *w)
{
	if (mm == NULL)		/* the thread is ending */
		return S9_WALK_STRANGE;
	w->stamp = s9_stamp_of(mm, &w->changing);
	if (m->memory == 0)
		m->memory = (__u64)mm;
	if (m->stale || m->memory != (__u64)mm)
		return S9_WALK_STALE;
	if (w->cs != S9_USER_CS)
		return S9_WALK_STRANGE;
	w->start = w->size = 0;
	w->top = w->sp;
	w->called = w->frames = 0;
	w->fp_at = 0;
	w->notes = w->noted = 0;
	w->how = S9_WALK_WHOLE;
	return S9_WALK_WHOLE;
}

/*
 * Walks the user side of the current thread, from the registers in w, into pcs,
 * which holds walk_cfg.frames.  Returns how the
 * walk ended and, if it is whole, stores the number of the list of code that it
 * used.
 */
static __always_inline __u32
s9_walk_by_rules(struct task_struct *p, const void *space, struct s9_walker *w,
    struct s9_words *words, __u64 *pcs, __u32 *number)
{
	struct s9_walking x = {w, NULL, words, pcs, NULL};
	__u32 how, replayed = 0, index = S9_GET(p, pid) & (S9_MEMOS - 1);
	struct mm_struct *mm;
	int has_memo;
	__u64 sp;

	if (!s9_has_witness())
		return S9_WALK_NO_WITNESS;
	x.m = bpf_map_lookup_elem(&mapped, space);
	if (x.m == NULL)
		return S9_WALK_NEW_PROCESS;
	x.memo = bpf_map_lookup_elem(&memos, &index);
	if (x.memo == NULL)
		return S9_WALK_OFF;
	mm = p->mm;
	how = s9_begin_walk(mm, x.m, w);
	if (how != S9_WALK_WHOLE)
		return how;
	sp = w->sp;
	if (s9_first_words(p, mm, w, words) != 0)
		return S9_WALK_FAULT;
	*number = x.m->number;
	has_memo = s9_claim_memo(x.memo, w, space, *number);
	if (has_memo) {
		replayed = s9_begin_by_memo(&x);
		w->notes = w->how == S9_WALK_WHOLE;
	}
	if (w->how == S9_WALK_WHOLE)
		bpf_loop(walk_cfg.frames / S9_STRIDE + 1, s9_stride, &x, 0);
	if (has_memo)
		s9_leave_memo(x.memo, w, replayed);
	s9_keep_span(p, w, sp);
	/* The teacher may have replaced the list meanwhile, and the kernel may
	 * use its memory for another list at once. */
	if (*(volatile __u64 *)&x.m->memory != (__u64)mm)
		return S9_WALK_BUSY;
	if (w->how == S9_WALK_WHOLE || w->frames > walk_cfg.frames)
		return S9_WALK_DEEP;
	return w->how == S9_WALK_OFF ? S9_WALK_WHOLE : w->how;
}

#endif /* STACK9_LEARNED_WALK_H */
