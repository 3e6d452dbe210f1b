/*
 * Leaves one frame for its caller's, by the rule of its pc.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_FRAMES_H
#define STACK9_LEARNED_WALK_FRAMES_H

#include "walk_jit.h"

/* Above sp in a signal's frame: struct rt_sigframe without the return address;
 * arch/x86/include/uapi/asm/sigcontext.h. */
#define	S9_SIGNAL_FP	120
#define	S9_SIGNAL_SP	160
#define	S9_SIGNAL_PC	168

/* The steps are parts of s9_leave_any().  A loader of libbpf 1.1 has room
 * for 32 functions of an object (MAX_USED_PROGS in gen_loader.c).  With more
 * the kernel refuses the loader, and the object needs BTF that is not hidden.
 */

/* Nothing of the interrupted code's stack need have been read. */
static __always_inline __u32
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

static __always_inline __u32
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
		w->fp_at = cfa - S9_RULE_SAVED(rule);
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
s9_leave_any(struct s9_walker *w, struct s9_words *words)
{
	__u64 at, offset, *slots = s9_slots();
	__u32 rule, how;

	if (walk_cfg.slot_bits == 0 || !s9_has_witness() || w == NULL ||
	    words == NULL || slots == NULL)
		return S9_WALK_OFF;
	at = w->pc - w->called;
	offset = at - w->now.start;
	w->by_fp = 0;
	if (offset >= w->now.size) {
		how = s9_enter_code(w, at);
		if (how != S9_WALK_WHOLE)
			goto out;
		offset = at - w->now.start;
	}
	if (S9_IS_MADE(w->now.key)) {
		how = s9_leave_made(w, words, slots);
		goto out;
	}
	rule = s9_find_rule(w, slots, offset);
	switch (S9_RULE_KIND(rule)) {
	case S9_RULE_SP:
		how = s9_leave_frame(w, words, rule, w->sp);
		break;
	case S9_RULE_FP:
		w->by_fp = 1;
		how = s9_leave_frame(w, words, rule, w->fp);
		break;
	/* These steps are not noted. */
	case S9_RULE_REALIGNED:
		w->notes = 0;
		how = s9_leave_realigned(w, words, rule);
		break;
	case S9_RULE_SIGNAL:
		w->notes = 0;
		how = s9_leave_signal(w, words);
		break;
	case S9_RULE_END:
		how = S9_WALK_OFF;	/* the outermost frame */
		break;
	case S9_RULE_ABSENT:
		how = s9_leave_absent(w, words, rule);
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

#endif /* STACK9_LEARNED_WALK_FRAMES_H */
