/*
 * Leaves frames without unwind information as unwind/passing.h does: those of
 * code that the process has made while it ran, and those of a file's code that
 * nothing describes.  Their callers are guesses, and the walk says so.
 *
 * A rule of JIT code belongs to the bytes around its pc, so it is not found
 * for other code that was made in the same place.  All made frames in a row
 * have to lead to a frame that has unwind information and whose pc follows a
 * call.  If they lead to another frame, its pc and theirs all have to follow a
 * call.  The other ways of unwind/ are left to copies.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_MADE_H
#define STACK9_LEARNED_WALK_MADE_H

#include "walk_pages.h"
#include "walk_words.h"

#define	S9_ONE_FRAME	(64 * 1024)	/* bytes; a larger one is copied */

/* Makes the code at this address that of the walk.  How it ended. */
static __always_inline __u32
s9_enter(struct s9_walker *w, __u64 at)
{
	if (at - w->now.start < w->now.size || s9_enter_near(w, at) == 0)
		return S9_WALK_WHOLE;
	return s9_enter_code(w, at);
}

static __always_inline __u32
s9_code_before(__u64 pc, __u64 *before)
{
	return bpf_probe_read_user(before, 8, (const void *)(pc - 8)) != 0 ?
	    S9_WALK_FAULT : S9_WALK_WHOLE;
}

/* Finds the caller by the frame pointer: it has to lie in the same stack. */
static __always_inline __u32
s9_follow_fp(struct s9_walker *w, struct s9_words *words, __u64 *pc, __u64 *fp)
{
	__u64 at = w->fp;

	if (w->end == 0 || at < w->sp || at + 16 > w->end || (at & 7) != 0 ||
	    at - w->sp > S9_ONE_FRAME)
		return S9_WALK_STRANGE;
	if (s9_word_at(w, words, at, fp) || s9_word_at(w, words, at + 8, pc))
		return S9_WALK_FAULT;
	return *pc == 0 ? S9_WALK_STRANGE : S9_WALK_WHOLE;
}

static __always_inline void
s9_guessed(struct s9_walker *w, __u64 pc, __u64 sp, __u64 fp)
{
	w->pc = pc;
	w->sp = sp;
	w->fp = fp;
	w->called = 1;
	w->guessed = 1;
	w->notes = 0;		/* made code may be other code soon */
}

/* A frame of a file's code. */
static __always_inline __u32
s9_leave_absent(struct s9_walker *w, struct s9_words *words, __u32 rule)
{
	__u64 pc, fp, before, sp = w->fp + 16;
	__u32 how;

	if (!(S9_RULE_SAVED(rule) >> 3 & (w->called ? S9_ABSENT_CALLED :
	    S9_ABSENT_EXACT)) && (!w->called ||
	    w->sp + S9_RULE_CFA(rule) != sp))
		return S9_WALK_NO_RULE;
	how = s9_follow_fp(w, words, &pc, &fp);
	if (how == S9_WALK_WHOLE)
		how = s9_code_before(pc, &before);
	if (how != S9_WALK_WHOLE)
		return how;
	if (!s9_is_call(before))
		return S9_WALK_STRANGE;
	s9_guessed(w, pc, sp, fp);
	return S9_WALK_WHOLE;
}

/* Leaves by a rule for compiled code, whose frame has a known size. */
static __always_inline __u32
s9_leave_sized(struct s9_walker *w, struct s9_words *words, __u32 rule,
    __u64 *pc, __u64 *sp, __u64 *fp)
{
	__u64 cfa = w->sp + S9_RULE_CFA(rule);

	*sp = cfa;
	*fp = w->fp;
	if (cfa <= w->sp || (cfa & 7) != 0)
		return S9_WALK_STRANGE;
	if (s9_word_at(w, words, cfa - 8, pc) || (S9_RULE_SAVED(rule) != 0 &&
	    s9_word_at(w, words, cfa - S9_RULE_SAVED(rule), fp)))
		return S9_WALK_FAULT;
	return *pc == 0 ? S9_WALK_STRANGE : S9_WALK_WHOLE;
}

/* True if a frame of JIT code may lead to this caller, whose code is that of
 * the walk now.  unled: the frames so far have to be led out. */
static __always_inline __u32
s9_may_lead(struct s9_walker *w, __u64 *slots, __u64 pc, int unled)
{
	__u64 before;
	__u32 rule, how;

	if (S9_IS_MADE(w->now.key))
		return S9_WALK_WHOLE;
	rule = s9_rule_of(slots, w->now.key + (pc - 1 - w->now.start));
	if (rule == 0 && w->now.first != 0)
		rule = s9_rule_in_page(w->now.first + (__u32)((pc - 1 -
		    w->now.start) / S9_CODE_PAGE), (__u32)(pc - 1 -
		    w->now.start) % S9_CODE_PAGE);
	if (rule == 0)
		return S9_WALK_NEW_RULE;
	how = s9_code_before(pc, &before);
	if (how != S9_WALK_WHOLE)
		return how;
	return !s9_is_call(before) ||
	    (S9_RULE_KIND(rule) == S9_RULE_ABSENT && unled) ?
	    S9_WALK_STRANGE : S9_WALK_WHOLE;
}

/* A frame of code that the process has made. */
static __always_inline __u32
s9_leave_made(struct s9_walker *w, struct s9_words *words, __u64 *slots)
{
	__u64 code[2], pc, fp, sp = w->fp + 16;
	__u32 rule, how;
	int unled;

	if (bpf_probe_read_user(code, 16, (const void *)(w->pc - 8)) != 0)
		return S9_WALK_FAULT;
	rule = s9_rule_of(slots, s9_made_key(w->space, w->pc, w->called,
	    code));
	if (rule == 0)
		return S9_WALK_NEW_RULE;
	unled = w->unled == w->sp || (w->called && !s9_is_call(code[0])) ||
	    S9_RULE_KIND(rule) == S9_RULE_SP;
	how = S9_RULE_KIND(rule) == S9_RULE_SP ?
	    s9_leave_sized(w, words, rule, &pc, &sp, &fp) :
	    s9_follow_fp(w, words, &pc, &fp);
	if (how == S9_WALK_WHOLE)
		how = s9_enter(w, pc - 1);
	if (how == S9_WALK_WHOLE)
		how = s9_may_lead(w, slots, pc, unled);
	if (how != S9_WALK_WHOLE)
		return how;
	s9_guessed(w, pc, sp, fp);
	w->unled = unled ? sp : 0;
	return S9_WALK_WHOLE;
}

#endif /* STACK9_LEARNED_WALK_MADE_H */
