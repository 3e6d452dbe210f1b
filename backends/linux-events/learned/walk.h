/*
 * Walks a user stack by learned rules.  Each frame is left as unwind/ leaves
 * it, or the walk ends and has no result: no frame is guessed.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_H
#define STACK9_LEARNED_WALK_H

#include "walk_code.h"
#include "walk_registers.h"
#include "walk_words.h"

/* The kinds of unwind/rule.h. */
enum s9_rule_kind {
	S9_RULE_SP = 1,
	S9_RULE_FP,
	S9_RULE_REALIGNED,
	S9_RULE_SIGNAL,
	S9_RULE_END,
};
#define	S9_RULE_KIND(r)		((r) & 7)
#define	S9_RULE_CFA(r)		((__u64)((r) & 0x3fff << 3))
#define	S9_RULE_SAVED(r)	((__u64)((r) >> 14 & 7 << 3))

/* Above sp in a signal's frame: struct rt_sigframe without the return address;
 * arch/x86/include/uapi/asm/sigcontext.h. */
#define	S9_SIGNAL_FP	120
#define	S9_SIGNAL_SP	160
#define	S9_SIGNAL_PC	168

struct s9_walking {
	struct s9_walker	*w;
	struct s9_mapped	*m;
	struct s9_words		*words;
	__u64			*pcs;
};

/* Nothing of the interrupted code's stack need have been read. */
static __noinline __u32
s9_leave_signal(struct s9_walker *w, struct s9_words *words)
{
	__u64 pc, sp, fp, at = w->sp;

	if (s9_word_at(w, words, at + S9_SIGNAL_FP, &fp) ||
	    s9_word_at(w, words, at + S9_SIGNAL_SP, &sp) ||
	    s9_word_at(w, words, at + S9_SIGNAL_PC, &pc))
		return S9_WALK_FAULT;
	w->pc = pc;
	w->sp = sp;
	w->fp = fp;
	w->called = 0;
	return S9_WALK_WHOLE;
}

static __noinline __u32
s9_leave_realigned(struct s9_walker *w, struct s9_words *words, __u32 rule)
{
	__u64 cfa, pc, fp = w->fp;

	if (s9_word_at(w, words, fp - S9_RULE_CFA(rule), &cfa))
		return S9_WALK_FAULT;
	if (cfa <= w->sp)
		return S9_WALK_STRANGE;
	if (s9_word_at(w, words, fp, &fp) ||
	    s9_word_at(w, words, cfa - 8, &pc))
		return S9_WALK_FAULT;
	if (pc == 0)
		return S9_WALK_STRANGE;
	w->pc = pc;
	w->sp = cfa;
	w->fp = fp;
	w->called = 1;
	return S9_WALK_WHOLE;
}

static __always_inline __u32
s9_leave_frame(struct s9_walker *w, struct s9_words *words, __u32 rule,
    __u64 cfa)
{
	__u64 pc, fp;

	cfa += S9_RULE_CFA(rule);
	if (cfa <= w->sp)
		return S9_WALK_STRANGE;
	if (s9_word_at(w, words, cfa - 8, &pc))
		return S9_WALK_FAULT;
	if (S9_RULE_SAVED(rule) != 0) {
		if (s9_word_at(w, words, cfa - S9_RULE_SAVED(rule), &fp))
			return S9_WALK_FAULT;
		w->fp = fp;
	}
	if (pc == 0)
		return S9_WALK_STRANGE;
	w->pc = pc;
	w->sp = cfa;
	w->called = 1;
	return S9_WALK_WHOLE;
}

/* Leaves a frame of any kind.  Returns S9_WALK_WHOLE if there is a caller's
 * frame to go on with, and stores the same in w->how. */
__noinline int
s9_leave_any(struct s9_walker *w, struct s9_mapped *m, struct s9_words *words)
{
	__u64 at, offset;
	__u32 rule, how;

	if (walk_cfg.slot_bits == 0 || !s9_has_witness() || w == NULL ||
	    m == NULL || words == NULL)
		return S9_WALK_OFF;
	at = w->pc - w->called;
	offset = at - w->start;
	if (offset >= w->size) {
		how = s9_enter_code(S9_CURRENT(), m, w, at);
		if (how != S9_WALK_WHOLE)
			goto out;
		offset = at - w->start;
	}
	rule = s9_rule_of(w->key + offset);
	switch (S9_RULE_KIND(rule)) {
	case S9_RULE_SP:
		how = s9_leave_frame(w, words, rule, w->sp);
		break;
	case S9_RULE_FP:
		how = s9_leave_frame(w, words, rule, w->fp);
		break;
	case S9_RULE_REALIGNED:
		how = s9_leave_realigned(w, words, rule);
		break;
	case S9_RULE_SIGNAL:
		how = s9_leave_signal(w, words);
		break;
	case S9_RULE_END:
		how = S9_WALK_OFF;	/* the outermost frame */
		break;
	case 0:
		how = S9_WALK_NEW_RULE;
		break;
	default:
		how = S9_WALK_NO_RULE;
		break;
	}
out:
	w->how = how;
	return how;
}

/* Where a walk is, in registers. */
struct s9_place {
	__u64	pc, sp, fp;
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
	l->sp = cfa;
	l->pc = pc;
	return 0;
}

#define	S9_STRIDE	4	/* frames */

/* Notes the pcs of some frames and goes on to their callers'.  0: to be called
 * again. */
static long
s9_stride(__u32 number, struct s9_walking *x)
{
	struct s9_walker *w = x->w;
	struct s9_place l = {w->pc, w->sp, w->fp};
	__u32 n = w->frames, calls = w->called;

	asm volatile("" : "+r"(n));
	if (n > walk_cfg.frames) {
		w->how = S9_WALK_DEEP;
		return 1;
	}
	w->frames = n + S9_STRIDE;
#pragma unroll
	for (__u32 i = 0; i < S9_STRIDE; i++) {
		x->pcs[n + i] = l.pc;
		if (calls && s9_leave_plain(w, x->words, &l) == 0)
			continue;
		w->pc = l.pc;
		w->sp = l.sp;
		w->fp = l.fp;
		if (s9_leave_any(w, x->m, x->words) != S9_WALK_WHOLE) {
			w->frames = n + i + 1;
			return 1;
		}
		l.pc = w->pc;
		l.sp = w->sp;
		l.fp = w->fp;
		calls = w->called;
	}
	w->pc = l.pc;
	w->sp = l.sp;
	w->fp = l.fp;
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
	w->stamp = s9_stamp_of(mm);
	if (w->stamp == 0)
		return S9_WALK_BUSY;
	if (m->memory == 0)
		m->memory = (__u64)mm;
	if (m->stale || m->memory != (__u64)mm)
		return S9_WALK_STALE;
	if (w->cs != S9_USER_CS)
		return S9_WALK_STRANGE;
	w->start = w->size = 0;
	w->top = w->sp;
	w->called = w->frames = 0;
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
	struct s9_walking x = {w, NULL, words, pcs};
	struct mm_struct *mm;
	__u64 sp;
	__u32 how;

	if (!s9_has_witness())
		return S9_WALK_NO_WITNESS;
	x.m = bpf_map_lookup_elem(&mapped, space);
	if (x.m == NULL)
		return S9_WALK_NEW_PROCESS;
	mm = p->mm;
	how = s9_begin_walk(mm, x.m, w);
	if (how != S9_WALK_WHOLE)
		return how;
	sp = w->sp;
	if (s9_first_words(p, mm, w, words) != 0)
		return S9_WALK_FAULT;
	bpf_loop(walk_cfg.frames / S9_STRIDE + 1, s9_stride, &x, 0);
	s9_keep_span(p, w, sp);
	*number = x.m->number;
	/* The teacher may have replaced the list meanwhile, and the kernel may
	 * use its memory for another list at once. */
	if (*(volatile __u64 *)&x.m->memory != (__u64)mm)
		return S9_WALK_BUSY;
	if (w->how == S9_WALK_WHOLE || w->frames > walk_cfg.frames)
		return S9_WALK_DEEP;
	return w->how == S9_WALK_OFF ? S9_WALK_WHOLE : w->how;
}

#endif /* STACK9_LEARNED_WALK_H */
