/*
 * Reads a frame that a language's runtime keeps, and tells it as a pair of
 * words.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_TELL_FRAME_H
#define STACK9_TELL_FRAME_H

#include "chain_maps.h"

static __always_inline int
s9_word_of_user(__u64 at, __u64 *to)
{
	return bpf_probe_read_user(to, sizeof(*to), (const void *)at) != 0;
}

static __always_inline __u64
s9_member(const struct s9_told *t, __u32 offset)
{
	offset &= S9_CHAIN_FRAME - 8;
	return *(const __u64 *)(t->frame_bytes + offset);
}

/* The position in code whose instructions this thread may have a copy of. */
static __always_inline __u32
s9_position_of(const struct s9_frame_chain *c, const struct s9_told *t,
    __u64 code)
{
	__u64 at = s9_member(t, c->position), base = code, copies = 0;
	__u32 offset = c->copy_index;
	__s32 index;

	if (c->position_bytes == 4)
		return (__u32)at;
	if (offset != S9_NOT_THERE) {
		offset &= S9_CHAIN_FRAME - 4;
		index = *(const __s32 *)(t->frame_bytes + offset);
		if (index > 0) {
			if (s9_word_of_user(code + c->copies, &copies) ||
			    s9_word_of_user(copies + 8 + 8 * (__u64)index,
			    &base))
				return S9_NO_POSITION;
			base -= c->instructions;
		}
	}
	at -= base;
	return at < S9_NO_POSITION ? (__u32)at : S9_NO_POSITION;
}

static __always_inline __u64
s9_of_code(const struct s9_told *t, __u32 offset)
{
	offset &= S9_CHAIN_CODE - 8;
	return *(const __u64 *)(t->code_bytes + offset);
}

static __always_inline __u64
s9_of_led(const struct s9_told *t, __u32 offset)
{
	offset &= S9_CHAIN_LED - 8;
	return *(const __u64 *)(t->led_bytes + offset);
}

/* The cookie of memory that cannot be read is 0, which is another one. */
static __always_inline __u32
s9_cookie_of(const struct s9_frame_chain *c, struct s9_told *t, __u64 code)
{
	__u32 bytes = c->code_bytes;
	__u64 mixed;

	asm volatile("" : "+r"(bytes));
	if (bytes > S9_CHAIN_CODE || bpf_probe_read_user(t->code_bytes, bytes,
	    (const void *)(code + c->code_from)) != 0)
		return 0;
	mixed = s9_cookie_on(0, s9_of_code(t, c->cookie[0]),
	    s9_of_code(t, c->cookie[1]), 0);
#pragma unroll
	for (__u32 i = 0; i < 2; i++) {
		if (c->leads[i].at == S9_NOT_THERE)
			break;
		if (bpf_probe_read_user(t->led_bytes, S9_CHAIN_LED,
		    (const void *)s9_of_code(t, c->leads[i].at)) != 0)
			return 0;
		mixed = s9_cookie_on(mixed,
		    s9_of_led(t, c->leads[i].words[0]),
		    s9_of_led(t, c->leads[i].words[1]),
		    s9_of_led(t, c->leads[i].words[2]));
	}
	return (__u32)mixed;
}

/* The same code object is met again in an event, where functions call
 * themselves. */
static __always_inline __u32
s9_kept_cookie(const struct s9_frame_chain *c, struct s9_told *t, __u64 code)
{
	__u32 place = (__u32)(code >> 5) & (S9_TOLD_CODES - 1);
	struct s9_told_code *kept = &t->codes[place];

	if (kept->code != code || kept->serial != t->serial) {
		kept->cookie = s9_cookie_of(c, t, code);
		kept->code = code;
		kept->serial = t->serial;
	}
	return kept->cookie;
}

/* Copies the frame from the bytes around the one before, or reads those around
 * this one: a part of a page, for a read that meets a page which is not there
 * takes as long as ten others.  1: it cannot be read. */
static __always_inline int
s9_read_frame(const struct s9_frame_chain *c, struct s9_told *t)
{
	__u32 bytes = c->frame_bytes;
	__u64 offset = t->frame & (S9_TOLD_NEAR - 1);

	asm volatile("" : "+r"(bytes));
	if (bytes > S9_CHAIN_FRAME)
		return 1;
	if (!c->frames_lie_together || offset > S9_TOLD_NEAR - S9_CHAIN_FRAME)
		return bpf_probe_read_user(t->frame_bytes, bytes,
		    (const void *)t->frame) != 0;
	if (t->near != t->frame - offset) {
		t->near = t->frame - offset;
		if (bpf_probe_read_user(t->near_bytes, S9_TOLD_NEAR,
		    (const void *)t->near) != 0) {
			t->near = 0;
			return 1;
		}
	}
	asm volatile("" : "+r"(offset));
	offset &= S9_TOLD_NEAR - 8;
	if (offset > S9_TOLD_NEAR - S9_CHAIN_FRAME)
		return 1;
	__builtin_memcpy(t->frame_bytes, t->near_bytes + offset,
	    S9_CHAIN_FRAME);
	return 0;
}

/* Tells one frame and goes on to its caller.  1: there is none, or no more can
 * be told. */
static __always_inline long
s9_tell_frame(const struct s9_frame_chain *c, struct s9_told *t)
{
	__u32 at = t->count, owner = c->owner;
	__u64 code, word = S9_WORD_ENDS, more = 0;
	int ends, has_code;

	if (t->frame == 0)
		return 1;
	asm volatile("" : "+r"(at));
	if (at > S9_TOLD_WORDS - 2) {
		t->end = S9_TOLD_DEEP;
		return 1;
	}
	if (s9_read_frame(c, t) != 0) {
		t->end = S9_TOLD_FAULT;
		return 1;
	}
	owner &= S9_CHAIN_FRAME - 1;
	owner = t->frame_bytes[owner];
	ends = c->ends == S9_ENDS_EACH || (c->ends == S9_ENDS_FLAGGED ?
	    owner != 0 : owner >= c->least_owner);
	has_code = !ends || c->ends != S9_ENDS_WITHOUT_CODE;
	if (has_code) {
		code = s9_member(t, c->code) & c->code_mask;
		word = code | (ends ? S9_WORD_ENDS : 0);
		more = S9_WORD_FRAME(s9_position_of(c, t, code),
		    s9_kept_cookie(c, t, code));
	}
	t->words[at] = word;
	t->words[at + 1] = more;
	t->count = at + 2;
	t->frame = s9_member(t, c->caller);
	return 0;
}

#endif /* STACK9_TELL_FRAME_H */
