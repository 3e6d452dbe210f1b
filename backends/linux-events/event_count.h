/*
 * Counting: under the whole stack, in the table of its size.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_COUNT_H
#define STACK9_EVENT_COUNT_H

#include "event_walk.h"

/* 0: it was there.  1: it is new.  -1: there is no room for it. */
static __always_inline int
s9_count_in(void *table, const void *key, __u64 weight)
{
	struct s9_count *c = bpf_map_lookup_elem(table, key);
	struct s9_count first = {1, weight};

	if (c == NULL) {
		if (bpf_map_update_elem(table, key, &first,
		    BPF_NOEXIST) == 0) {
			S9_COUNT_UP(stacks);
			return 1;
		}
		/* Another CPU may have been first. */
		c = bpf_map_lookup_elem(table, key);
		if (c == NULL)
			return -1;
	}
	__sync_fetch_and_add(&c->events, 1);
	if (weight != 0)
		__sync_fetch_and_add(&c->weight_ns, weight);
	return 0;
}

/* Behind both sides there may be frames of an earlier event. */
static __always_inline void
s9_clear_rest(struct s9_stacks *s)
{
	__u32 zero = 0, kernel = s->kernel;
	void *none = bpf_map_lookup_elem(&nothing, &zero);

	asm volatile("" : "+r"(kernel));
	if (none == NULL || kernel > cfg.frames)
		return;
	bpf_probe_read_kernel((__u64 *)(s + 1) + cfg.frames + kernel,
	    cfg.frames * 8, none);
}

static __always_inline int
s9_count_stacks(struct s9_stacks *s, __u64 weight)
{
	__u32 frames = s->kernel + s->user;

	if (cfg.sides == 3 && (frames > S9_SIZE_3 ||
	    cfg.frames < S9_SIZE_3))
		s9_clear_rest(s);
	if (frames <= S9_SIZE_0)
		return s9_count_in(&table_0, s, weight);
	if (frames <= S9_SIZE_1)
		return s9_count_in(&table_1, s, weight);
	if (frames <= S9_SIZE_2)
		return s9_count_in(&table_2, s, weight);
	if (frames <= S9_SIZE_3)
		return s9_count_in(&table_3, s, weight);
	if (cfg.no_deep)
		return -1;
	return s9_count_in(&table_4, s, weight);
}

/* Size of the record. */
static __always_inline __u32
s9_event_size(const struct s9_stacks *s)
{
	__u32 frames = s->kernel + s->user;

	asm volatile("" : "+r"(frames));
	if (frames > 2 * cfg.frames)
		frames = 0;
	return sizeof(struct s9_event) + frames * 8;
}

/* Into the tables; where they are full to the reader, who counts on.  p: as
 * above. */
static __always_inline void
s9_count_event(struct task_struct *p, struct s9_event *e, __u32 point,
    __u64 weight)
{
	int how = s9_count_stacks(&e->stacks, weight);

	if (how > 0)
		s9_introduce(p, e);
	if (how >= 0)
		return;
	if (p != NULL)
		s9_fill_head(p, &e->head, S9_EVENT, point);
	e->head.what = S9_EVENT;
	e->head.spilled = 1;
	e->head.weight_ns = weight;
	if (s9_put(&e->head, s9_event_size(&e->stacks)) == 0)
		S9_COUNT_UP(spilled);
	else
		S9_COUNT_UP(no_room);
}

/* By the kernel's own map, for comparison. */
static __always_inline void
s9_take_ids(void *ctx, struct task_struct *p, struct s9_ids_key *k)
{
	__builtin_memset(k, 0, sizeof(*k));
	k->kernel = k->user = -11;
	if (cfg.by_process || (cfg.sides & 2))
		s9_space_of(p, &k->space);
	if (cfg.sides & 1)
		k->kernel = bpf_get_stackid(ctx, &stack_map,
		    cfg.stackid_flags);
	if (cfg.sides & 2)
		k->user = bpf_get_stackid(ctx, &stack_map,
		    cfg.stackid_flags | BPF_F_USER_STACK);
}

#define	S9_EEXIST	17
#define	S9_ENOMEM	12

static __always_inline void
s9_count_ids(struct task_struct *p, struct s9_event *e,
    const struct s9_ids_key *k, __u64 weight)
{
	int how;

	if (k->kernel == -S9_EEXIST || k->user == -S9_EEXIST ||
	    k->kernel == -S9_ENOMEM || k->user == -S9_ENOMEM) {
		S9_COUNT_UP(collided);
		return;
	}
	how = s9_count_in(&ids, k, weight);
	e->stacks.space = k->space;
	if (how > 0)
		s9_introduce(p, e);
	if (how < 0)
		S9_COUNT_UP(no_room);
}

#endif /* STACK9_EVENT_COUNT_H */
