/*
 * Decides whether the user side of an event has to be copied: it has to be if
 * it cannot be walked by learned rules.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_LEARNED_H
#define STACK9_EVENT_LEARNED_H

#include "backends/linux-events/learned/walk_maps.h"
#ifdef S9_WALKS
#include "backends/linux-events/learned/walk.h"

/*
 * Walks the user side of the current thread into the scratch with this number,
 * behind its kernel frames, from the registers that its walker has.  Returns
 * how the walk ended; if it is whole, the scratch says how many frames there
 * are.  This function is global: the verifier checks it once, not on each way
 * to it.
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
	s->e.stacks.user = (__u16)s->walk.frames;
	s->e.stacks.user_error = (__s16)(list | (s->walk.guessed ? S9_GUESSED :
	    0));
	s->walked++;
	s->remembered += s->walk.replayed != 0;
	return S9_WALK_WHOLE;
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

/* e: that of the scratch, or another one.  s->walk.how tells why the side has
 * to be copied. */
static __always_inline int
s9_wants_copy(struct task_struct *p, struct s9_scratch *s, struct s9_event *e,
    __u32 number, const void *regs)
{
	__u32 how = S9_WALK_OFF;

	if (!cfg.copy)
		return 0;
	e->stacks.user_error = s9_is_kthread(p) ? S9_NO_SUCH_SIDE : 0;
	if (e->stacks.user_error != 0)
		return 0;
#ifdef S9_WALKS
	if (cfg.walk && e != &s->e) {
		how = s9_walk_aside(p, s, e, number);
	} else if (cfg.walk) {
		s9_take_registers(p, &s->walk, regs);
		how = s9_walk_scratch(number);
	}
	if (how == S9_WALK_WHOLE && !cfg.compare)
		return 0;
#endif
	if (s9_has_left_memory(p)) {
		e->stacks.user_error = S9_MEMORY_LEFT;
		return 0;
	}
	s->walk.how = how;
	s->copied++;
	return 1;
}

/* Counts the event in the scratch with this number.  It is global, as the walk
 * is.  Old kernels verify it even if nothing calls it and the tables have no
 * sizes. */
__noinline int
s9_count_scratch(__u32 number, __u32 point)
{
	struct s9_scratch *s = bpf_map_lookup_elem(&scratch, &number);

	if (s != NULL && !cfg.stackid && !cfg.stream &&
	    (!cfg.copy || cfg.walk))
		s9_count_event(S9_CURRENT(), &s->e, point, 0);
	return 0;
}

#endif /* STACK9_EVENT_LEARNED_H */
