/*
 * The stacks of the current thread.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_WALK_H
#define STACK9_EVENT_WALK_H

#include "event_ring.h"

/* At most cfg.frames, which the verifier has to see at each use. */
static __always_inline __u32
s9_frames(long bytes)
{
	__u32 n = bytes > 0 ? (__u32)bytes / 8 : 0;

	return n > cfg.frames ? cfg.frames : n;
}

#define	S9_MORE_FRAMES	16

/* The kernel fills all the room with zeroes: so there is no more of it than has
 * been needed on this CPU so far, and some. */
static __always_inline long
s9_walk_side(void *ctx, __u64 *pcs, __u32 *deepest, __u64 flags)
{
	__u32 room = *deepest + S9_MORE_FRAMES;
	long got;

	asm volatile("" : "+r"(room));
	if (room < cfg.frames) {
		got = bpf_get_stack(ctx, pcs, room * 8, flags);
		if (s9_frames(got) < room)
			return got;
	}
	got = bpf_get_stack(ctx, pcs, cfg.frames * 8, flags);
	*deepest = s9_frames(got);
	return got;
}

/*
 * By the context; or, where that is the user's and has no kernel's side (a
 * system call's own tracepoint, in kernels before 6.12), from where this
 * runs: the reader leaves the first of those frames out by their names.
 */
static __always_inline long
s9_walk_kernel(void *ctx, struct task_struct *p, __u64 *pcs, __u32 *deepest)
{
	long got = s9_walk_side(ctx, pcs, deepest, 0);

#ifdef S9_DIRECT
	if (cfg.own_tracepoint && got <= 0)
		got = bpf_get_task_stack(p, pcs, cfg.frames * 8, 0);
#endif
	return got;
}

/* Both sides. */
static __always_inline void
s9_walk(void *ctx, struct task_struct *p, struct s9_event *e)
{
	struct s9_totals *t = s9_totals();
	struct s9_stacks *s = &e->stacks;
	__u32 kernel = 0;
	long got;

	__builtin_memset(s, 0, sizeof(*s));
	if (t == NULL)
		return;
	if (cfg.by_process || (cfg.sides & 2))
		s9_space_of(p, &s->space);
	if (cfg.sides & 1) {
		got = s9_walk_kernel(ctx, p, e->pcs, &t->deepest[0]);
		kernel = s9_frames(got);
		s->kernel = kernel;
		s->kernel_error = got < 0 ? got : 0;
	}
	if (!(cfg.sides & 2) || cfg.copy)
		return;
	if (S9_GET(p, flags) & S9_PF_KTHREAD) {
		s->user_error = -95;	/* EOPNOTSUPP */
		__builtin_memset(&s->space, 0, sizeof(s->space));
		if (cfg.by_process)
			s9_space_of(p, &s->space);
		return;
	}
	asm volatile("" : "+r"(kernel));
	if (kernel > cfg.frames)
		return;
	got = s9_walk_side(ctx, e->pcs + kernel, &t->deepest[1],
	    BPF_F_USER_STACK);
	s->user = s9_frames(got);
	s->user_error = got < 0 ? got : 0;
}

/* Claimed before it is looked whether the end has been reached: so who says
 * that it has, and then finds nothing claimed, knows that there will be no
 * more. */
static __always_inline struct s9_scratch *
s9_claim_level(__u32 number)
{
	struct s9_scratch *s = bpf_map_lookup_elem(&scratch, &number);

	if (s == NULL || s->busy)
		return NULL;
#ifdef S9_INDIRECT
	/* Who comes in between here ends before this goes on, for there is no
	 * preemption in programs on kernels so old. */
	s->busy = 1;
	__sync_fetch_and_add(&s->fence, 1);
	return s;
#else
	return __sync_lock_test_and_set(&s->busy, 1) == 0 ? s : NULL;
#endif
}

/* The scratch of this CPU, claimed; NULL: all are in use. */
static __always_inline struct s9_scratch *
s9_claim(__u32 *number)
{
	struct s9_scratch *s;
	__u32 first = bpf_get_smp_processor_id() * S9_LEVELS;

#pragma unroll
	for (__u32 i = 0; i < S9_LEVELS; i++) {
		*number = first + i;
		s = s9_claim_level(*number);
		if (s != NULL)
			return s;
	}
	return NULL;
}

static __always_inline void
s9_leave(struct s9_scratch *s)
{
	asm volatile("" : : : "memory");
	s->busy = 0;
}

#endif /* STACK9_EVENT_WALK_H */
