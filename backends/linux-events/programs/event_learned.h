/*
 * Decides whether the user side of an event has to be copied: it has to be if
 * it cannot be walked by learned rules.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_LEARNED_H
#define STACK9_EVENT_LEARNED_H

#include "bpf/unwind/chain_maps.h"
#include "bpf/unwind/walk_maps.h"
#include "event_again.h"
#ifdef S9_WALKS
#include "bpf/unwind/follow_chain.h"
#include "bpf/unwind/walk.h"

/* True if an event may be counted by its walk: all that its stacks have is the
 * user side. */
static __always_inline int
s9_walk_counts(void)
{
	return !cfg.stream && !cfg.compare && !(cfg.sides & 1);
}

/* Notes in the thread's memo where its stacks are counted. */
static __always_inline void
s9_report_memo(const struct s9_scratch *s, struct task_struct *p)
{
	__u32 index = S9_GET(p, pid) & walk_cfg.memo_mask;
	struct s9_memo *memo = bpf_map_lookup_elem(&memos, &index);

	if (memo == NULL || __sync_lock_test_and_set(&memo->busy, 1) != 0)
		return;
	if (memo->serial == s->walk.serial) {
		memo->slot = s->e.slot;
		memo->number_there = s->walk.number;
	}
	asm volatile("" : : : "memory");
	memo->busy = 0;
}

/*
 * Walks the user side of the current thread into the scratch with this number,
 * after its kernel frames, from the registers that its walker has.  Returns how
 * the walk ended; if it is whole, the scratch says how many frames there are,
 * or the event has been counted.  This function is global: the verifier checks
 * it once, not on each way to it.
 */
__noinline int
s9_walk_scratch(__u32 number)
{
	struct s9_event_copy *c = bpf_map_lookup_elem(&copies, &number);
	struct s9_scratch *s = bpf_map_lookup_elem(&scratch, &number);
	__u32 kernel, list, how;

	if (!cfg.walk || c == NULL || s == NULL)
		return S9_WALK_OFF;
	kernel = s->e.stacks.kernel;
	asm volatile("" : "+r"(kernel));
	if (kernel > cfg.frames)
		return S9_WALK_FAULT;
	how = s9_walk_by_rules(S9_CURRENT(), (__u64 *)&s->e.stacks.space,
	    &s->walk,
	    (struct s9_words *)c->bytes, s->e.pcs + kernel, &list);
	if (how != S9_WALK_WHOLE)
		return how;
	if (s->walk.slot != 0) {
		s->walked++;
		s->remembered++;
		return s9_count_again(s->walk.slot) == 0 ? S9_WALK_COUNTED :
		    S9_WALK_OFF;
	}
	if (s->walk.serial != 0 && s->walk.counts)
		s->e.slot = S9_WANTS_SLOT;
	s->e.stacks.user = (__u16)s->walk.frames;
	s->e.stacks.user_error = (__s16)(list | (s->walk.guessed ? S9_GUESSED :
	    0));
	s->walked++;
	s->remembered += s->walk.replayed != 0;
	return S9_WALK_WHOLE;
}

/* How the frames are found of a runtime that the stacks' process has: enum
 * s9_chain_kind. */
static __always_inline __u32
s9_chain_of(const struct s9_event *e)
{
	const struct s9_control_word *word;
	const struct s9_frame_chain *c;

	if (cfg.reported == 0)
		return S9_CHAIN_NONE;
	word = s9_word();
	if (word == NULL || *(volatile __u32 *)&word->chains == 0)
		return S9_CHAIN_NONE;
	c = bpf_map_lookup_elem(&chains, &e->stacks.space);
	return c == NULL ? S9_CHAIN_NONE : c->kind;
}

/* Takes the registers of the user side, and where its stack begins and ends. */
static __always_inline void
s9_take_stack(struct task_struct *p, struct s9_reported *t, const void *regs)
{
	t->sp = s9_copy_registers(p, regs, t->registers);
	t->end_of_stack = s9_nearer(t->sp, t->identity,
	    BPF_CORE_READ(p, mm, start_stack) + S9_OUTERMOST);
	if (t->end_of_stack == 0)
		t->end_of_stack = t->sp + S9_REPORTED_STACK;
}

/* Puts the frames of a runtime after those of both sides. */
static __always_inline void
s9_report(struct task_struct *p, struct s9_event *e, __u32 number,
    __u32 chain, const void *regs)
{
	struct s9_reported *t = bpf_map_lookup_elem(&reported, &number);
	__u32 n, words;

	if (t == NULL)
		return;
	t->space = e->stacks.space;
	t->identity = s9_thread_pointer(p);
	t->tid = S9_GET(p, pid);
	t->count = t->end = 0;
	if (chain == S9_CHAIN_OF_STATES)
		s9_take_stack(p, t, regs);
	s9_follow(number);
	/* Read after the call: the verifier of 6.1 takes a value that is
	 * spilled and then compared for unbounded. */
	n = e->stacks.kernel + e->stacks.user;
	words = t->count;
	asm volatile("" : "+r"(n), "+r"(words));
	if (words == 0 || words > S9_REPORTED_WORDS || words > cfg.reported ||
	    n > cfg.both)
		return;
	bpf_probe_read_kernel(e->pcs + n, words * 8, t->words);
	e->stacks.reported = (__u16)words;
	e->stacks.reported_end = (__u16)t->end;
}

/* Walks the user side for an event that is in no scratch. */
static __always_inline __u32
s9_walk_aside(struct task_struct *p, struct s9_scratch *s, struct s9_event *e,
    __u32 number)
{
	__u32 how, user, kernel = e->stacks.kernel;

	s->e.stacks = e->stacks;
	s->e.stacks.kernel = 0;
	s9_take_registers(p, &s->walk, NULL);
	s->walk.counts = 0;
	how = s9_walk_scratch(number);
	user = s->e.stacks.user;
	asm volatile("" : "+r"(user), "+r"(kernel));
	if (how != S9_WALK_WHOLE || user > cfg.both - cfg.frames ||
	    kernel > cfg.frames)
		return how;
	bpf_probe_read_kernel(e->pcs + kernel, user * 8, s->e.pcs);
	e->stacks.user = (__u16)user;
	e->stacks.user_error = s->e.stacks.user_error;
	return how;
}
#endif

enum s9_side {
	S9_SIDE_KNOWN,
	S9_SIDE_COPIED,		/* it has to be: s->walk.how says why */
	S9_SIDE_COUNTED,	/* and so has the event been */
};

/* e: that of the scratch, or another one. */
static __always_inline enum s9_side
s9_take_user_side(struct task_struct *p, struct s9_scratch *s,
    struct s9_event *e, __u32 number, const void *regs)
{
	__u32 how = S9_WALK_OFF;
#ifdef S9_WALKS
	__u32 chain;
#endif

	if (!cfg.copy)
		return S9_SIDE_KNOWN;
	e->stacks.user_error = s9_is_kthread(p) ? S9_NO_SUCH_SIDE : 0;
	if (e->stacks.user_error != 0)
		return S9_SIDE_KNOWN;
#ifdef S9_WALKS
	chain = s9_chain_of(e);
	if (cfg.walk && chain == S9_CHAIN_ON_STACK) {
		how = S9_WALK_OFF;
	} else if (cfg.walk && e != &s->e) {
		how = s9_walk_aside(p, s, e, number);
	} else if (cfg.walk) {
		s9_take_registers(p, &s->walk, regs);
		s->walk.counts = s9_walk_counts() &&
		    chain == S9_CHAIN_NONE;
		how = s9_walk_scratch(number);
	}
	if (how == S9_WALK_COUNTED)
		return S9_SIDE_COUNTED;
	if (chain != S9_CHAIN_NONE && chain != S9_CHAIN_ON_STACK)
		s9_report(p, e, number, chain, regs);
	if (how == S9_WALK_WHOLE && !cfg.compare)
		return S9_SIDE_KNOWN;
#endif
	if (s9_has_left_memory(p)) {
		e->stacks.user_error = S9_MEMORY_LEFT;
		return S9_SIDE_KNOWN;
	}
	s->walk.how = how;
	s->copied++;
	return S9_SIDE_COPIED;
}

/* Counts the event in the scratch with this number.  It is global, as the walk
 * is.  Old kernels verify it even if nothing calls it and the tables have no
 * sizes. */
__noinline int
s9_count_scratch(__u32 number, __u32 probe)
{
	struct s9_scratch *s = bpf_map_lookup_elem(&scratch, &number);

	if (s == NULL || cfg.stream || (cfg.copy && !cfg.walk))
		return 0;
	if (s9_count_thrice(s) != 0) {
		s9_count_event(S9_CURRENT(), &s->e, probe, 0);
		s9_keep_twice(s);
	}
#ifdef S9_WALKS
	if (s9_has_slot(&s->e) && s->walk.serial != 0)
		s9_report_memo(s, S9_CURRENT());
#endif
	return 0;
}

#endif /* STACK9_EVENT_LEARNED_H */
