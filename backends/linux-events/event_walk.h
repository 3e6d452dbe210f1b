/*
 * The stacks of the current thread into a key.
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

/* Both sides, and zeroes as far as any table's key may reach. */
static __always_inline void
s9_walk(void *ctx, struct task_struct *p, struct s9_event *e)
{
	struct s9_stacks *s = &e->stacks;
	__u32 kernel = 0;
	long got;

	__builtin_memset(s, 0, sizeof(*s));
	if (cfg.by_process || (cfg.sides & 2))
		s9_space_of(p, &s->space);
	if (cfg.sides & 1) {
		got = bpf_get_stack(ctx, e->pcs, cfg.frames * 8, 0);
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
	got = bpf_get_stack(ctx, e->pcs + kernel, cfg.frames * 8,
	    BPF_F_USER_STACK);
	s->user = s9_frames(got);
	s->user_error = got < 0 ? got : 0;
}

/* The scratch of this CPU, claimed; NULL: all are in use. */
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
	return s;
#else
	return __sync_lock_test_and_set(&s->busy, 1) == 0 ? s : NULL;
#endif
}

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

#endif /* STACK9_EVENT_WALK_H */
