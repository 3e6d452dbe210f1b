/*
 * Walks the user side of the current thread into a slot, by learned rules.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_ASYNC_WALK_H
#define STACK9_ASYNC_WALK_H

#include "async_copy.h"
#include "bpf/unwind/space_of.h"
#include "bpf/unwind/walk.h"

/* Each CPU has S9_ROOMS elements; an element belongs to the program that has
 * claimed it.  A program may interrupt another. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct s9_walk_room);
} walk_rooms SEC(".maps");

/* NULL: all are in use. */
static __always_inline struct s9_walk_room *
s9_claim_room(void)
{
	struct s9_walk_room *r;
	__u32 first = bpf_get_smp_processor_id() * S9_ROOMS;

#pragma unroll
	for (__u32 i = 0; i < S9_ROOMS; i++) {
		__u32 number = first + i;

		r = bpf_map_lookup_elem(&walk_rooms, &number);
		if (r != NULL && __sync_lock_test_and_set(&r->busy, 1) == 0)
			return r;
	}
	return NULL;
}

static __always_inline void
s9_leave_room(struct s9_walk_room *r)
{
	asm volatile("" : : : "memory");
	r->busy = 0;
}

/* Returns how the walk ended.  This function is global: the verifier checks it
 * once, not on each way to it. */
__noinline int
s9_walk_slot(__u32 number)
{
	struct task_struct *p = bpf_get_current_task_btf();
	struct s9_async_slot *s = s9_slot_at(number);
	struct s9_walk_room *r;
	__u32 how, list;

	if (walk_cfg.slot_bits == 0 || s == NULL)
		return S9_WALK_OFF;
	r = s9_claim_room();
	if (r == NULL)
		return S9_WALK_OFF;
	s9_space_of(p, &s->h.space, 0);
	s9_take_registers(p, &r->walk, NULL);
	how = s9_walk_by_rules(p, (__u64 *)&s->h.space, &r->walk,
	    (struct s9_words *)r->words, (__u64 *)s->stack, &list);
	s->h.walk = how;
	if (how == S9_WALK_WHOLE) {
		s->h.guessed = r->walk.guessed;
		s->h.walked = r->walk.frames;
	}
	s9_leave_room(r);
	return how;
}

/* True if the user side is asked for and was walked. */
static __always_inline int
s9_has_walked(struct task_struct *p, struct s9_async_slot *s, __u64 id)
{
	return (s->h.sides & 2) && s9_never_user(p) == 0 &&
	    s9_walk_slot(id & S9_SLOT_MASK) == S9_WALK_WHOLE;
}

#endif /* STACK9_ASYNC_WALK_H */
