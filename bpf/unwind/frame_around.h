/*
 * Reads the frames of a runtime that keeps an environment of each, and looks
 * for the entries of these frames.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_FRAME_AROUND_H
#define STACK9_FRAME_AROUND_H

#include "report_state.h"

/* Reads an environment out of the bytes around the one before, for most of them
 * lie together.  1: it cannot be read. */
static __always_inline int
s9_read_around(struct s9_reported *t, __u64 flags_at)
{
	__u64 from = flags_at - 16, offset = from & (S9_REPORTED_NEAR - 1);

	if (offset > S9_REPORTED_NEAR - sizeof(t->around))
		return bpf_probe_read_user(t->around, sizeof(t->around),
		    (const void *)from) != 0;
	if (t->near_around != from - offset) {
		t->near_around = from - offset;
		if (bpf_probe_read_user(t->around_bytes, S9_REPORTED_NEAR,
		    (const void *)t->near_around) != 0) {
			t->near_around = 0;
			return 1;
		}
	}
	asm volatile("" : "+r"(offset));
	offset &= S9_REPORTED_NEAR - 8;
	if (offset > S9_REPORTED_NEAR - sizeof(t->around))
		return 1;
	__builtin_memcpy(t->around, t->around_bytes + offset,
	    sizeof(t->around));
	return 0;
}

/* A frame of a runtime whose frames have environments. */
static __always_inline enum s9_found
s9_frame_around(const struct s9_frame_chain *c, struct s9_reported *t,
    __u64 *code, __u64 *bits)
{
	__u32 kind;

	if (s9_read_around(t, s9_member(t, c->environment)))
		return S9_FOUND_FAULT;
	kind = (__u32)t->around[2] & c->kind_mask;
	*code = s9_member(t, c->code) & c->code_mask;
	*bits = ((__u32)t->around[2] & c->flag_ends) != 0 ? S9_WORD_ENDS : 0;
	if (kind == c->kind_hidden || (*code == 0 ? kind != c->kind_function :
	    s9_member(t, c->position) == 0))
		return S9_FOUND_NOTHING;
	t->is_function = *code == 0;
	t->seeks = 1;
	return t->is_function ? S9_FOUND_NOTHING : S9_FOUND_OBJECT;
}

/* Gives the entry that an environment has; 0: it has none. */
static __always_inline enum s9_found
s9_entry_here(const struct s9_frame_chain *c, struct s9_reported *t,
    __u64 *entry)
{
	__u64 value = t->around[0], head = 0;
	__u32 what;

	if (value < 4096 || value % 8 != 0)
		return S9_FOUND_NOTHING;
	*entry = value;
	if (s9_is_kept_entry(t, value))
		return S9_FOUND_OBJECT;
	if (s9_word_of_user(value, &head))
		return S9_FOUND_FAULT;
	what = (__u32)head & c->value_mask;
	if (what == c->value_leads &&
	    ((__u32)t->around[2] & c->flag_outermost) != 0) {
		if (s9_word_of_user(value + c->value_at, &value))
			return S9_FOUND_FAULT;
		if (value < 4096 || value % 8 != 0)
			return S9_FOUND_NOTHING;
		if (s9_word_of_user(value, &head))
			return S9_FOUND_FAULT;
		what = (__u32)head & c->value_mask;
	}
	*entry = value;
	return what == c->value_entry ? S9_FOUND_OBJECT : S9_FOUND_NOTHING;
}

/* Looks for the entry of the last frame, and goes on to the environment around
 * this one. */
static __always_inline enum s9_found
s9_seek_entry(const struct s9_frame_chain *c, struct s9_reported *t,
    __u64 *entry, __u64 *bits)
{
	enum s9_found found = s9_entry_here(c, t, entry);

	*bits = S9_WORD_MARKED | (t->is_function ? S9_WORD_ENDS : 0);
	if (found == S9_FOUND_NOTHING &&
	    ((__u32)t->around[2] & c->flag_outermost) == 0)
		return s9_read_around(t, t->around[1] & ~3ULL) ?
		    S9_FOUND_FAULT : S9_FOUND_NOTHING;
	t->seeks = 0;
	if (found != S9_FOUND_NOTHING || !t->is_function)
		return found;
	*entry = 0;
	return S9_FOUND_OBJECT;
}

#endif /* STACK9_FRAME_AROUND_H */
