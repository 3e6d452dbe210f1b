/*
 * Counts an event whose stacks came twice in a row before.  They have a slot in
 * the map repeats, so they are compared once, and are not looked for.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_AGAIN_H
#define STACK9_EVENT_AGAIN_H

#include "event_count.h"

/* Counts the event in the slot of its stacks.  0; or there is no such slot. */
static __always_inline int
s9_count_again(__u32 slot)
{
	__u32 part = slot / S9_REPEATS_PART;
	struct s9_repeats *r = bpf_map_lookup_elem(&repeats, &part);

	if (r == NULL)
		return 1;
	__sync_fetch_and_add(&r->events[slot % S9_REPEATS_PART], 1);
	return 0;
}

static __always_inline int
s9_has_slot(const struct s9_event *e)
{
	return e->slot != 0 && e->slot < cfg.slots;
}

/* 0: the event's stacks are those that came twice, and it is counted. */
static __always_inline int
s9_count_thrice(struct s9_scratch *s)
{
	const __u32 frames = s9_all_frames(&s->e);

	if (s->twice.slot == 0 || frames > S9_TWICE_FRAMES)
		return 1;
	s9_pad(&s->e);
	if (!s9_is_of(&s->twice.stacks, &s->e, frames, S9_TWICE_FRAMES))
		return 1;
	s->e.slot = s->twice.slot;
	return s9_count_again(s->twice.slot);
}

/* Keeps stacks that have a slot. */
static __always_inline void
s9_keep_twice(struct s9_scratch *s)
{
	const __u32 frames = s9_all_frames(&s->e);

	if (!s9_has_slot(&s->e) || frames > S9_TWICE_FRAMES)
		return;
	s->twice.slot = s->e.slot;
	s->twice.stacks = s->e.stacks;
	for (__u32 i = 0; i < S9_TWICE_FRAMES + S9_ABREAST; i++)
		s->twice.pcs[i] = s->e.pcs[i];
}

#endif /* STACK9_EVENT_AGAIN_H */
