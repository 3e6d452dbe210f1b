/*
 * Leaves one frame for its caller's: quickly, if a plain rule is in its first
 * slot.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_PLAIN_H
#define STACK9_LEARNED_WALK_PLAIN_H

#include "walk_frames.h"
#include "walk_memo.h"

/* Where a walk is, in registers. */
struct s9_place {
	__u64	pc, sp, fp;
	__u64	called;		/* as in s9_walker */
	__u64	fp_at;		/* this and the next for notes only */
	__u64	by_fp;		/* all bits, or none: the last step was */
};

/*
 * Leaves a frame if its rule is in its first slot and says sp or fp, and the
 * words that it takes are read already.  1: so it is not.  Only these questions
 * are branches: what the rule says is not foreseen by the CPU.
 */
static __always_inline int
s9_leave_plain(const struct s9_walking *x, struct s9_place *l, int notes)
{
	struct s9_walker *w = x->w;
	__u64 at = l->pc - l->called, offset = at - w->now.start;
	__u64 slot, key, cfa, saved, has, is_fp, from, from_fp, pc, fp;

	if (offset >= w->now.size) {
		if (s9_enter_near(w, at) != 0)
			return 1;
		offset = at - w->now.start;
	}
	key = w->now.key + offset;
	slot = x->slots[s9_first_slot(key)];
	if (slot >> S9_RULE_BITS != key ||
	    S9_RULE_KIND(slot) - S9_RULE_SP > S9_RULE_FP - S9_RULE_SP)
		return 1;
	is_fp = -(slot >> 1 & 1);
	cfa = l->sp + ((l->fp - l->sp) & is_fp) + S9_RULE_CFA(slot);
	saved = S9_RULE_SAVED(slot);
	has = -((saved + 56) >> 6);	/* all bits, unless it is 0 */
	from = cfa - 8 - w->base;
	from_fp = from + ((8 - saved) & has);
	if (cfa <= l->sp || (cfa & 7) != 0 || from >= w->bytes ||
	    from_fp >= w->bytes)
		return 1;
	from &= S9_WORDS_ROOM - 8;
	from_fp &= S9_WORDS_ROOM - 8;
	pc = *(const __u64 *)(x->words->bytes + from);
	fp = *(const __u64 *)(x->words->bytes + from_fp);
	if (pc == 0)
		return 1;
	l->fp ^= (l->fp ^ fp) & has;
	if (notes) {
		l->fp_at ^= (l->fp_at ^ (cfa - saved)) & has;
		l->by_fp = is_fp;
	}
	l->sp = cfa;
	l->pc = pc;
	l->called = 1;
	return 0;
}

static __always_inline void
s9_set_place(struct s9_walker *w, const struct s9_place *l, int notes)
{
	w->pc = l->pc;
	w->sp = l->sp;
	w->fp = l->fp;
	w->called = (__u32)l->called;
	if (notes)
		w->fp_at = l->fp_at;
}

static __always_inline void
s9_get_place(const struct s9_walker *w, struct s9_place *l, int notes)
{
	l->pc = w->pc;
	l->sp = w->sp;
	l->fp = w->fp;
	l->called = w->called;
	if (notes) {
		l->fp_at = w->fp_at;
		l->by_fp = w->by_fp;
	}
}

/* Goes from a frame to its caller's.  0; or the walk has ended. */
static __always_inline int
s9_leave_one(struct s9_walking *x, struct s9_place *l, int notes)
{
	if (s9_leave_plain(x, l, notes) == 0)
		return 0;
	s9_set_place(x->w, l, notes);
	if (s9_leave_any(x->w, x->words) != S9_WALK_WHOLE)
		return 1;
	s9_get_place(x->w, l, notes);
	return 0;
}

#endif /* STACK9_LEARNED_WALK_PLAIN_H */
