/*
 * Reads a frame that a language's runtime keeps, and reports it as a pair of
 * words.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_REPORT_FRAME_H
#define STACK9_REPORT_FRAME_H

#include "chain_maps.h"

static __always_inline int
s9_word_of_user(__u64 at, __u64 *to)
{
	return bpf_probe_read_user(to, sizeof(*to), (const void *)at) != 0;
}

static __always_inline __u64
s9_member(const struct s9_reported *t, __u32 offset)
{
	offset &= S9_CHAIN_FRAME - 8;
	return *(const __u64 *)(t->frame_bytes + offset);
}

static __always_inline __u8
s9_byte_of_frame(const struct s9_reported *t, __u32 offset)
{
	offset &= S9_CHAIN_FRAME - 1;
	return t->frame_bytes[offset];
}

static __always_inline __u64
s9_of_code(const struct s9_reported *t, __u32 offset)
{
	offset &= S9_CHAIN_CODE - 8;
	return *(const __u64 *)(t->code_bytes + offset);
}

static __always_inline __u64
s9_of_led(const struct s9_reported *t, __u32 offset)
{
	offset &= S9_CHAIN_LED - 8;
	return *(const __u64 *)(t->led_bytes + offset);
}

static __always_inline __u32
s9_cookie_of(const struct s9_frame_chain *c, struct s9_reported *t)
{
	__u64 mixed = s9_cookie_on(0, s9_of_code(t, c->cookie[0]),
	    s9_of_code(t, c->cookie[1]), s9_of_code(t, c->cookie[2]));

#pragma unroll
	for (__u32 i = 0; i < 2; i++) {
		if (c->leads[i].at == S9_NOT_THERE)
			break;
		/* A read that fails fills its place with zeros. */
		bpf_probe_read_user(t->led_bytes, S9_CHAIN_LED,
		    (const void *)s9_of_code(t, c->leads[i].at));
		mixed = s9_cookie_on(mixed,
		    s9_of_led(t, c->leads[i].words[0]),
		    s9_of_led(t, c->leads[i].words[1]),
		    s9_of_led(t, c->leads[i].words[2]));
	}
	return (__u32)mixed;
}

static __always_inline __u64
s9_base_of(const struct s9_frame_chain *c, const struct s9_reported *t,
    __u64 code)
{
	__u32 kind = c->code_kind;

	if (kind != S9_NOT_THERE) {
		kind &= S9_CHAIN_CODE - 1;
		if (t->code_bytes[kind] == c->kind_without)
			return 0;
	}
	return c->position_base == S9_NOT_THERE ? code :
	    s9_of_code(t, c->position_base);
}

static __always_inline void
s9_read_code(const struct s9_frame_chain *c, struct s9_reported *t,
    struct s9_reported_code *to, __u64 code)
{
	__u32 bytes = c->code_bytes;

	to->code = code;
	to->serial = t->serial;
	to->base = 0;
	to->cookie = to->moves = 0;
	asm volatile("" : "+r"(bytes));
	if (bytes > S9_CHAIN_CODE || bpf_probe_read_user(t->code_bytes, bytes,
	    (const void *)(code + c->code_from)) != 0)
		return;
	to->cookie = s9_cookie_of(c, t);
	to->base = s9_base_of(c, t, code);
	if (c->moving == S9_NOT_THERE || to->base == 0)
		return;
#pragma unroll
	for (__u32 i = 0; i < S9_MOVED; i++)
		to->moved[i] = s9_of_code(t, c->moved[i]);
	if (c->moving_without != S9_NOT_THERE &&
	    s9_of_code(t, c->moving_without) == 0)
		to->moves = 1;
}

/* The same code object is met again in an event, where functions call
 * themselves. */
static __always_inline const struct s9_reported_code *
s9_kept_code(const struct s9_frame_chain *c, struct s9_reported *t, __u64 code)
{
	__u32 place = (__u32)(code >> 5) & (S9_REPORTED_CODES - 1);
	struct s9_reported_code *kept = &t->codes[place];

	if (kept->code != code || kept->serial != t->serial)
		s9_read_code(c, t, kept, code);
	return kept;
}

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
		offset &= S9_CHAIN_FRAME - 4;
		index = *(const __s32 *)(t->frame_bytes + offset);
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

/* Reports one frame and goes on to its caller.  1: there is none, or no more
 * can be reported. */
static __always_inline long
s9_report_frame(const struct s9_frame_chain *c, struct s9_reported *t)
{
	__u32 at = t->count, words = 2;
	__u64 code, bits, more = 0;
	const struct s9_reported_code *its;

	if (t->frame == 0)
		return 1;
	asm volatile("" : "+r"(at));
	if (at > S9_REPORTED_WORDS - 2) {
		t->end = S9_REPORTED_DEEP;
		return 1;
	}
	if (s9_read_frame(c, t) != 0) {
		t->end = S9_REPORTED_FAULT;
		return 1;
	}
	bits = s9_bits_of_frame(c, t);
	code = c->ends == S9_ENDS_WITHOUT_CODE && (bits & S9_WORD_ENDS) != 0 ?
	    0 : s9_member(t, c->code) & c->code_mask;
	if (code != 0) {
		its = s9_kept_code(c, t, code);
		more = S9_WORD_FRAME(s9_position_of(c, t, its), its->cookie);
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
	t->frame = s9_member(t, c->caller);
	return 0;
}

#endif /* STACK9_REPORT_FRAME_H */
