/*
 * Reads the objects that a language's runtime keeps, and the words by which one
 * differs from another one at its address.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_REPORTED_OBJECT_H
#define STACK9_REPORTED_OBJECT_H

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

static __always_inline __s32
s9_number_of_frame(const struct s9_reported *t, __u32 offset)
{
	offset &= S9_CHAIN_FRAME - 4;
	return *(const __s32 *)(t->frame_bytes + offset);
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

/* Mixes all of a short text, and both ends of another one. */
static __always_inline __u64
s9_mix_text(const struct s9_reported_object *o, struct s9_reported *t,
    __u64 mixed)
{
	__u64 at = s9_of_code(t, o->text.at), length;
	__u32 n = o->text.kind & (S9_CHAIN_LED - 1);

	bpf_probe_read_user(t->led_bytes, S9_CHAIN_LED, (const void *)at);
	if (t->led_bytes[n] == o->text.is_short) {
		n = o->text.short_length & (S9_CHAIN_LED - 1);
		length = t->led_bytes[n];
	} else {
		length = s9_of_led(t, o->text.length);
		mixed = s9_cookie_on(mixed, s9_of_led(t, o->text.bytes),
		    s9_of_led(t, o->text.bytes + 8),
		    s9_of_led(t, o->text.bytes + 16));
	}
	__builtin_memset(t->led_bytes, 0, S9_CHAIN_LED);
	n = length < S9_CHAIN_LED ? (__u32)length : S9_CHAIN_LED;
	asm volatile("" : "+r"(n));
	if (n > S9_CHAIN_LED || bpf_probe_read_user(t->led_bytes, n,
	    (const void *)(at + o->text.bytes + length - n)) != 0)
		return mixed;
	mixed = s9_cookie_on(mixed, length, s9_of_led(t, 0), s9_of_led(t, 8));
	mixed = s9_cookie_on(mixed, s9_of_led(t, 16), s9_of_led(t, 24),
	    s9_of_led(t, 32));
	return s9_cookie_on(mixed, s9_of_led(t, 40), s9_of_led(t, 48),
	    s9_of_led(t, 56));
}

/* has_text: a constant; 0: the object has neither words that are mixed nor a
 * text, so the verifier need not follow these. */
static __always_inline __u32
s9_cookie_of(const struct s9_reported_object *o, struct s9_reported *t,
    int has_text)
{
	__u64 mixed = s9_cookie_on(0, s9_of_code(t, o->cookie[0]),
	    s9_of_code(t, o->cookie[1]), s9_of_code(t, o->cookie[2]));

#pragma unroll
	for (__u32 i = 0; i < S9_LEADS; i++) {
		__u32 at = o->leads[i].at;

		if (at == S9_NOT_THERE)
			break;
		/* A read that fails fills its place with zeros. */
		bpf_probe_read_user(t->led_bytes, S9_CHAIN_LED,
		    (const void *)((at & S9_IN_LED) != 0 ? s9_of_led(t, at) :
		    s9_of_code(t, at)));
		mixed = s9_cookie_on(mixed,
		    s9_of_led(t, o->leads[i].words[0]),
		    s9_of_led(t, o->leads[i].words[1]),
		    s9_of_led(t, o->leads[i].words[2]));
	}
	if (!has_text)
		return (__u32)mixed;
#pragma unroll
	for (__u32 i = 0; i < S9_MIXED; i += 3) {
		if (i >= o->mixed)
			break;
		mixed = s9_cookie_on(mixed, s9_of_code(t, 8 * i),
		    s9_of_code(t, 8 * i + 8), s9_of_code(t, 8 * i + 16));
	}
	if (o->text.bytes != 0)
		mixed = s9_mix_text(o, t, mixed);
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
s9_read_code(const struct s9_frame_chain *c, const struct s9_reported_object *o,
    struct s9_reported *t, struct s9_reported_code *to, __u64 code,
    int has_text)
{
	__u32 bytes = o->bytes;
	__u64 at = code;

	to->code = code;
	to->serial = t->serial;
	to->base = 0;
	to->cookie = to->moves = 0;
	to->is_entry = o == &c->of_entry;
	if (o->through != S9_NOT_THERE && s9_word_of_user(at + o->through, &at))
		return;
	asm volatile("" : "+r"(bytes));
	if (bytes > S9_CHAIN_CODE || bpf_probe_read_user(t->code_bytes, bytes,
	    (const void *)(at + o->from)) != 0)
		return;
	to->cookie = s9_cookie_of(o, t, has_text);
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

static __always_inline struct s9_reported_code *
s9_place_of_code(struct s9_reported *t, __u64 code)
{
	return &t->codes[(__u32)(code >> 5) & (S9_REPORTED_CODES - 1)];
}

/* True if this event has met the entry before. */
static __always_inline int
s9_is_kept_entry(struct s9_reported *t, __u64 entry)
{
	const struct s9_reported_code *kept = s9_place_of_code(t, entry);

	return kept->code == entry && kept->serial == t->serial &&
	    kept->is_entry;
}

/* The same code object is met again in an event, where functions call
 * themselves. */
static __always_inline const struct s9_reported_code *
s9_kept_code(const struct s9_frame_chain *c, const struct s9_reported_object *o,
    struct s9_reported *t, __u64 code, int has_text)
{
	struct s9_reported_code *kept = s9_place_of_code(t, code);

	if (kept->code != code || kept->serial != t->serial)
		s9_read_code(c, o, t, kept, code, has_text);
	return kept;
}

#endif /* STACK9_REPORTED_OBJECT_H */
