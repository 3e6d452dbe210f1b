/*
 * Reads a frame that a language's runtime keeps, and reports it as a pair of
 * words.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_REPORT_FRAME_H
#define STACK9_REPORT_FRAME_H

#include "frame_around.h"

/* The position in code whose instructions this thread may have a copy of. */
static __always_inline __u32
s9_position_of(const struct s9_frame_chain *c, const struct s9_reported *t,
    const struct s9_reported_code *code)
{
	__u64 at = s9_member(t, c->position), base = code->base, copies = 0;
	__u32 offset = c->copy_index;
	__s32 index;

	if (c->position_bytes == 4)
		return (__u32)at;
	if (offset != S9_NOT_THERE) {
		index = s9_number_of_frame(t, offset);
		if (index > 0) {
			if (s9_word_of_user(code->code + c->copies, &copies) ||
			    s9_word_of_user(copies + 8 + 8 * (__u64)index,
			    &base))
				return S9_NO_POSITION;
			base -= c->instructions;
		}
	}
	at -= base;
	return base != 0 && at < S9_NO_POSITION ? (__u32)at : S9_NO_POSITION;
}

/* Copies the frame from the bytes around the one before, or reads those around
 * this one: a part of a page, for a read that meets a page which is not there
 * takes as long as ten others.  1: it cannot be read. */
static __always_inline int
s9_read_frame(const struct s9_frame_chain *c, struct s9_reported *t)
{
	__u32 bytes = c->frame_bytes;
	__u64 offset = t->frame & (S9_REPORTED_NEAR - 1);

	asm volatile("" : "+r"(bytes));
	if (bytes > S9_CHAIN_FRAME)
		return 1;
	if (!c->frames_lie_together ||
	    offset > S9_REPORTED_NEAR - S9_CHAIN_FRAME)
		return bpf_probe_read_user(t->frame_bytes, bytes,
		    (const void *)t->frame) != 0;
	if (t->near != t->frame - offset) {
		t->near = t->frame - offset;
		if (bpf_probe_read_user(t->near_bytes, S9_REPORTED_NEAR,
		    (const void *)t->near) != 0) {
			t->near = 0;
			return 1;
		}
	}
	asm volatile("" : "+r"(offset));
	offset &= S9_REPORTED_NEAR - 8;
	if (offset > S9_REPORTED_NEAR - S9_CHAIN_FRAME)
		return 1;
	__builtin_memcpy(t->frame_bytes, t->near_bytes + offset,
	    S9_CHAIN_FRAME);
	return 0;
}

/* The bits that are reported with the address of a frame's code. */
static __always_inline __u64
s9_bits_of_frame(const struct s9_frame_chain *c, const struct s9_reported *t)
{
	__u8 owner = s9_byte_of_frame(t, c->owner);
	__u64 bits = 0;

	if (c->ends == S9_ENDS_EACH || (c->ends == S9_ENDS_FLAGGED ?
	    (owner & c->owner_mask) != 0 : owner >= c->least_owner))
		bits = S9_WORD_ENDS;
	if (c->mark != S9_NOT_THERE &&
	    (s9_byte_of_frame(t, c->mark) & c->mark_mask) == c->mark_bits)
		bits |= S9_WORD_MARKED;
	return bits;
}

/* Reports a code object that may be gone when the names are read.  1: there is
 * not enough room. */
static __always_inline int
s9_report_moved(struct s9_reported *t, const struct s9_reported_code *code,
    __u32 at)
{
	asm volatile("" : "+r"(at));
	if (at > S9_REPORTED_WORDS - S9_MOVED_FRAME)
		return 1;
#pragma unroll
	for (__u32 i = 1; i < S9_MOVED; i++)
		t->words[at + 1 + i] = code->moved[i];
	return 0;
}

static __always_inline int
s9_moves(const struct s9_frame_chain *c, const struct s9_reported *t,
    const struct s9_reported_code *code)
{
	return c->moving != S9_NOT_THERE && code->base != 0 &&
	    (code->moves || (s9_byte_of_frame(t, c->moving) &
	    c->moving_mask) != 0);
}

/* Goes on to the caller of a frame. */
static __always_inline void
s9_next_frame(const struct s9_frame_chain *c, struct s9_reported *t)
{
	if (c->step == 0)
		t->frame = s9_member(t, c->caller);
	else if (t->end_of_frames - t->frame > c->step)
		t->frame += c->step;
	else
		t->frame = 0;
}

static __always_inline enum s9_found
s9_frame_of_chain(const struct s9_frame_chain *c, struct s9_reported *t,
    __u64 *code, __u64 *bits)
{
	*bits = s9_bits_of_frame(c, t);
	*code = c->ends == S9_ENDS_WITHOUT_CODE && (*bits & S9_WORD_ENDS) != 0 ?
	    0 : s9_member(t, c->code) & c->code_mask;
	if (*code == 0 && c->waiting != S9_NOT_THERE &&
	    (*bits & S9_WORD_MARKED) != 0)
		t->waits = s9_member(t, c->waiting);
	return S9_FOUND_OBJECT;
}

/* The frame of an object that waits, or the end of these frames. */
static __always_inline enum s9_found
s9_frame_of_waiting(const struct s9_frame_chain *c, struct s9_reported *t,
    __u64 *code, __u64 *bits)
{
	__u32 bytes = c->frame_bytes;
	__u64 inner = 0, frame = 0;

	if (s9_word_of_user(t->waits + c->waits_for, &inner))
		return S9_FOUND_FAULT;
	if (inner == 0) {
		t->waits = 0;
		return S9_FOUND_OBJECT;
	}
	asm volatile("" : "+r"(bytes));
	if (s9_word_of_user(t->waits + c->frame_of_waiting, &frame) ||
	    bytes > S9_CHAIN_FRAME || bpf_probe_read_user(t->frame_bytes, bytes,
	    (const void *)frame) != 0)
		return S9_FOUND_FAULT;
	t->waits = inner;
	*bits = s9_bits_of_frame(c, t);
	*code = s9_member(t, c->code) & c->code_mask;
	return S9_FOUND_OBJECT;
}

static __always_inline int
s9_is_going_on(const struct s9_reported *t)
{
	return t->frame != 0 || t->seeks || t->waits != 0 ||
	    t->has_contexts || t->seeks_state;
}

/* Reads one frame, or an environment around the last one. */
static __always_inline enum s9_found
s9_read_one(const struct s9_frame_chain *c, struct s9_reported *t, __u64 *code,
    __u64 *bits)
{
	enum s9_found found;

	if (t->seeks)
		return s9_seek_entry(c, t, code, bits);
	if (t->waits != 0)
		return s9_frame_of_waiting(c, t, code, bits);
	if (t->seeks_state) {
		*bits = S9_WORD_MARKED | S9_WORD_ENDS;
		return s9_seek_state(c, t, code);
	}
	if (c->states.bytes != 0 &&
	    t->frame == t->state + c->states.outermost) {
		s9_leave_state(t);
		return S9_FOUND_NOTHING;
	}
	if (s9_read_frame(c, t) != 0)
		return S9_FOUND_FAULT;
	if (c->states.bytes != 0) {
		*bits = s9_bits_of_frame(c, t);
		found = s9_frame_of_state(c, t, code, bits);
	} else {
		found = c->environment == S9_NOT_THERE ?
		    s9_frame_of_chain(c, t, code, bits) :
		    s9_frame_around(c, t, code, bits);
	}
	s9_next_frame(c, t);
	/* The outermost frame is a part of the state. */
	return c->states.bytes != 0 && t->frame == 0 ? S9_FOUND_FAULT : found;
}

/* Reports one frame, or the entry of the last one.  1: there is none, or no
 * more can be reported. */
static __always_inline long
s9_report_frame(const struct s9_frame_chain *c, struct s9_reported *t)
{
	__u32 at = t->count, words = 2;
	__u64 code = 0, bits = 0, more = 0;
	const struct s9_reported_code *its;
	enum s9_found found;
	int is_entry;

	if (!s9_is_going_on(t))
		return 1;
	asm volatile("" : "+r"(at));
	if (at > S9_REPORTED_WORDS - 2) {
		t->end = S9_REPORTED_DEEP;
		return 1;
	}
	found = s9_read_one(c, t, &code, &bits);
	if (found != S9_FOUND_OBJECT) {
		if (found == S9_FOUND_FAULT)
			t->end = S9_REPORTED_FAULT;
		return found == S9_FOUND_FAULT;
	}
	is_entry = c->environment != S9_NOT_THERE &&
	    (bits & S9_WORD_MARKED) != 0;
	if (c->states.bytes != 0 && (bits & S9_WORD_MARKED) != 0) {
		more = s9_more_of_state(c, t, code, bits, NULL);
		code &= c->code_mask;
	} else if (code != 0) {
		its = s9_kept_code(c, is_entry ? &c->of_entry : &c->of_code, t,
		    code, 1);
		more = c->states.bytes != 0 ?
		    s9_more_of_state(c, t, code, bits, its) :
		    S9_WORD_FRAME(is_entry ? 0 : s9_position_of(c, t, its),
		    its->cookie);
		if (s9_moves(c, t, its)) {
			if (s9_report_moved(t, its, at)) {
				t->end = S9_REPORTED_DEEP;
				return 1;
			}
			code = its->moved[0] & c->code_mask;
			bits |= S9_WORD_MOVED;
			words = S9_MOVED_FRAME;
		}
	}
	t->words[at] = code | bits;
	t->words[at + 1] = more;
	t->count = at + words;
	return 0;
}

#endif /* STACK9_REPORT_FRAME_H */
