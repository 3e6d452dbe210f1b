/*
 * Walks the stacks of the current thread.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_WALK_H
#define STACK9_EVENT_WALK_H

#include "event_ring.h"

/* The number of frames, at most cfg.frames: the verifier has to see that bound
 * at each use. */
static __always_inline __u32
s9_frames(long bytes)
{
	__u32 n = bytes > 0 ? (__u32)bytes / 8 : 0;

	return n > cfg.frames ? cfg.frames : n;
}

#define	S9_MORE_FRAMES	16

/* The kernel fills the rest of the buffer with zeroes.  So the buffer is only
 * as large as the deepest stack on this CPU so far, and S9_MORE_FRAMES. */
S9_APART long
s9_walk_side(void *ctx, __u64 *pcs, __u32 *deepest, __u64 flags)
{
	__u32 capacity = *deepest + S9_MORE_FRAMES;
	long got;

	asm volatile("" : "+r"(capacity));
	if (capacity < cfg.frames) {
		got = bpf_get_stack(ctx, pcs, capacity * 8, flags);
		if (s9_frames(got) < capacity)
			return got;
	}
	got = bpf_get_stack(ctx, pcs, cfg.frames * 8, flags);
	*deepest = s9_frames(got);
	return got;
}

/*
 * Walks from the context.  At a system call's own tracepoint, in kernels before
 * 6.12, the context is the user's and has no kernel side: then the walk begins
 * where this program runs, and the reader leaves the first frames out by their
 * names.
 */
static __always_inline long
s9_walk_kernel(void *ctx, struct task_struct *p, __u64 *pcs, __u32 *deepest)
{
	long got = s9_walk_side(ctx, pcs, deepest, 0);

#ifdef S9_DIRECT
	if (cfg.syscall_tracepoint && got <= 0)
		got = bpf_get_task_stack(p, pcs, cfg.frames * 8, 0);
#endif
	return got;
}

/* Why a task has no user side. */
#define	S9_NO_SUCH_SIDE	(-95)	/* EOPNOTSUPP */
#define	S9_MEMORY_LEFT	(-3)	/* ESRCH */

static __always_inline int
s9_is_kthread(struct task_struct *p)
{
	return (S9_GET(p, flags) & S9_PF_KTHREAD) != 0;
}

/* A task that ends leaves its memory. */
static __always_inline int
s9_has_left_memory(struct task_struct *p)
{
	return (cfg.few ? BPF_CORE_READ(p, mm) : S9_GET(p, mm)) == NULL;
}

static __always_inline int
s9_has_no_user_side(struct task_struct *p)
{
	return s9_is_kthread(p) ? S9_NO_SUCH_SIDE :
	    s9_has_left_memory(p) ? S9_MEMORY_LEFT : 0;
}

/* Walks both sides. */
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
		s9_space_of(p, &s->space, cfg.few);
	if (cfg.sides & 1) {
		got = s9_walk_kernel(ctx, p, e->pcs, &t->deepest[0]);
		kernel = s9_frames(got);
		s->kernel = kernel;
		s->kernel_error = got < 0 ? got : 0;
	}
	if (!(cfg.sides & 2) || cfg.copy)
		return;
	s->user_error = s9_has_no_user_side(p);
	if (s->user_error != 0) {
		if (!cfg.by_process)
			__builtin_memset(&s->space, 0, sizeof(s->space));
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

/* Order matters: claim first, then test whether the watch is over.  A reader
 * that ends the watch and then sees no claim knows that no further event will
 * come. */
static __always_inline struct s9_scratch *
s9_claim_level(__u32 number)
{
	struct s9_scratch *s = bpf_map_lookup_elem(&scratch, &number);

	if (s == NULL || s->busy)
		return NULL;
#ifdef S9_INDIRECT
	/* A program that interrupts this one here ends before this one goes on,
	 * because programs are not preempted on kernels so old. */
	s->busy = 1;
	__sync_fetch_and_add(&s->fence, 1);
	return s;
#else
	return __sync_lock_test_and_set(&s->busy, 1) == 0 ? s : NULL;
#endif
}

/* Claims a scratch of this CPU; NULL: all are in use. */
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

/* Counts an event for which there was no scratch. */
static __always_inline void
s9_count_nested(void)
{
	struct s9_totals *t = s9_totals();

	if (t == NULL || s9_begin(t))
		return;
	__sync_fetch_and_add(&t->nested, 1);
	__sync_fetch_and_add(&t->done, 1);
}

static __always_inline void
s9_leave(struct s9_scratch *s)
{
	asm volatile("" : : : "memory");
	s->busy = 0;
}

#endif /* STACK9_EVENT_WALK_H */
