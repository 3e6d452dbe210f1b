/*
 * Counts events by their whole stacks, each in the table of its size.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_COUNT_H
#define STACK9_EVENT_COUNT_H

#include "event_walk.h"

/* Puts zeroes after the frames, up to a whole step. */
static __always_inline void
s9_pad(struct s9_event *e)
{
	__u32 n = s9_all_frames(e);

	asm volatile("" : "+r"(n));
	if (n > cfg.words)
		return;
	e->pcs[n] = e->pcs[n + 1] = e->pcs[n + 2] = 0;
}

/* Mixes one word into the hash of the words before it. */
#define	S9_MIX(h, w) do {						\
	(h) = ((h) ^ (w)) * 0x9e3779b97f4a7c15ULL;			\
	(h) ^= (h) >> 32;						\
} while (0)

/* Four hashes run side by side, because each step of one waits for the
 * multiplication before it. */
static __noinline __u64
s9_hash(const struct s9_event *e, __u32 frames)
{
	const __u64 *w = (const __u64 *)&e->stacks;
	__u64 a = cfg.seed, b = ~a, c = a + 1, d = b + 1;

	S9_MIX(a, w[0]);
	S9_MIX(b, w[1]);
	S9_MIX(c, w[2]);
	S9_MIX(d, w[3]);
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < S9_MOST_WORDS; i += S9_ABREAST) {
		if (i >= frames || i >= cfg.words)
			break;
		S9_MIX(a, e->pcs[i]);
		S9_MIX(b, e->pcs[i + 1]);
		S9_MIX(c, e->pcs[i + 2]);
		S9_MIX(d, e->pcs[i + 3]);
	}
	S9_MIX(a, b);
	S9_MIX(c, d);
	S9_MIX(a, c);
	return a;
}

/* True if stacks with their frames, for which there is so much room, are those
 * of the event.  As a function of its own it is left with one state, however
 * many frames were compared. */
static __noinline int
s9_is_of(const struct s9_stacks *known, const struct s9_event *e, __u32 frames,
    __u32 capacity)
{
	const __u64 *pcs = (const __u64 *)(known + 1);
	const __u64 *x = (const __u64 *)known;
	const __u64 *y = (const __u64 *)&e->stacks;
	__u64 differ = (x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) |
	    (x[3] ^ y[3]);

#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < S9_MOST_WORDS; i += S9_ABREAST) {
		if (i >= frames || i >= capacity)
			break;
		differ |= (pcs[i] ^ e->pcs[i]) |
		    (pcs[i + 1] ^ e->pcs[i + 1]) |
		    (pcs[i + 2] ^ e->pcs[i + 2]) |
		    (pcs[i + 3] ^ e->pcs[i + 3]);
	}
	return differ == 0;
}

static __always_inline void
s9_add(struct s9_count *c, __u64 weight)
{
	__sync_fetch_and_add(&c->events, 1);
	if (weight != 0)
		__sync_fetch_and_add(&c->weight_ns, weight);
}

/* The slot of the stacks of this element: it gets one if there is one left; 0:
 * there is none. */
static __always_inline __u64
s9_slot_of(struct s9_counted *c)
{
#ifndef S9_INDIRECT
	struct s9_control_word *word = s9_word();
	__u64 slot;

	if (c->slot != 0 || word == NULL || word->slots + 1 >= cfg.slots)
		return c->slot;
	slot = __sync_fetch_and_add(&word->slots, 1) + 1;
	if (slot < cfg.slots)
		__sync_val_compare_and_swap(&c->slot, 0, slot);
#endif
	return c->slot;
}

/* 0: the stacks were there.  1: they are new.  -1: the table is full, or other
 * stacks are in their place. */
static __always_inline int
s9_count_in(void *table, __u64 hash, struct s9_event *e, __u32 frames,
    __u32 capacity, __u64 weight)
{
	struct s9_counted *c = bpf_map_lookup_elem(table, &hash);

	if (c == NULL) {
		e->first.events = 1;
		e->first.weight_ns = weight;
		e->slot = 0;
		if (bpf_map_update_elem(table, &hash, &e->first,
		    BPF_NOEXIST) == 0) {
			S9_COUNT_UP(stacks);
			return 1;
		}
		/* Another CPU may have been first. */
		c = bpf_map_lookup_elem(table, &hash);
		if (c == NULL)
			return -1;
	}
	if (!s9_is_of(&c->stacks, e, frames, capacity))
		return -1;
	s9_add(&c->count, weight);
	if (e->slot != 0)
		e->slot = s9_slot_of(c);
	return 0;
}

static __always_inline int
s9_count_stacks(struct s9_event *e, __u64 weight)
{
	__u32 frames;
	__u64 hash;

	s9_pad(e);
	hash = s9_hash(e, s9_all_frames(e));
	if (weight == 0 && hash == e->hash)
		e->slot = S9_WANTS_SLOT;
	e->hash = hash;
	frames = s9_all_frames(e);
	if (frames <= S9_SIZE_0)
		return s9_count_in(&table_0, hash, e, frames, S9_SIZE_0,
		    weight);
	if (frames <= S9_SIZE_1)
		return s9_count_in(&table_1, hash, e, frames, S9_SIZE_1,
		    weight);
	if (frames <= S9_SIZE_2)
		return s9_count_in(&table_2, hash, e, frames, S9_SIZE_2,
		    weight);
	if (frames <= S9_SIZE_3)
		return s9_count_in(&table_3, hash, e, frames, S9_SIZE_3,
		    weight);
	if (frames <= S9_SIZE_4)
		return s9_count_in(&table_4, hash, e, frames, S9_SIZE_4,
		    weight);
	return s9_count_in(&table_5, hash, e, frames, cfg.words, weight);
}

/* Counts in the tables.  If that fails, the event goes to the reader: that
 * counts it.  p: as in s9_introduce(). */
static __always_inline void
s9_count_event(struct task_struct *p, struct s9_event *e, __u32 probe,
    __u64 weight)
{
	int how = s9_count_stacks(e, weight);

	if (how > 0)
		s9_introduce(p, e);
	if (how >= 0)
		return;
	if (p != NULL)
		s9_fill_head(p, &e->head, S9_EVENT, probe);
	e->head.what = S9_EVENT;
	e->head.weight_ns = weight;
	if (s9_put(&e->head, s9_event_size(e)) == 0)
		S9_COUNT_UP(spilled);
	else
		S9_COUNT_UP(no_room);
}

#endif /* STACK9_EVENT_COUNT_H */
