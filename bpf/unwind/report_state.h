/*
 * Finds the states of a language's runtime by the words of the stack, and reads
 * their frames.
 *
 * Below the address where a state was entered lies what it has called.  So the
 * innermost state is the one that was entered at the lowest address.  Each one
 * that lies further inside has words below it.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_REPORT_STATE_H
#define STACK9_REPORT_STATE_H

#include "reported_object.h"

/* The outcome of a step. */
enum s9_found {
	S9_FOUND_OBJECT,	/* it is to be reported */
	S9_FOUND_NOTHING,
	S9_FOUND_FAULT,
};

#define	S9_IN_ROW	8	/* words that are looked at in a step */
#define	S9_REGISTERS	(8 * S9_REPORTED_SEEN)
#define	S9_LOWEST	65536	/* vm.mmap_min_addr */
#define	S9_HIGHEST	(1ULL << 47)
#define	S9_STACK_PAGE	4096
#define	S9_BELOW_SP	128	/* a function may use these bytes */
#define	S9_SAVED	6	/* registers that calls keep come first */

static __always_inline void
s9_first_state(struct s9_reported *t)
{
	t->state = t->around_state = 0;
	t->seek = 0;
	t->entered = t->sp - 1;
	t->frame = 0;
	t->is_innermost = 1;
	t->seeks_state = t->sp != 0;
	if (t->end_of_stack - t->sp > S9_REPORTED_STACK)
		t->end_of_stack = t->sp + S9_REPORTED_STACK;
}

/* Reads the part of the stack with the next words.  1: it is not there, as
 * pages of an array that nothing has touched: these have no words. */
static __always_inline int
s9_read_around_sp(struct s9_reported *t)
{
	__u64 from = t->seek & ~(__u64)(S9_REPORTED_NEAR - 1);

	if (t->seek < S9_REGISTERS || t->near == from)
		return 0;
	t->near = from;
	if (bpf_probe_read_user(t->near_bytes, S9_REPORTED_NEAR,
	    (const void *)from) == 0)
		return 0;
	t->near = 0;
	t->seek = (t->seek | (S9_STACK_PAGE - 1)) + 1;
	return 1;
}

static __always_inline __u64 *
s9_seen_place(struct s9_reported *t, __u64 word)
{
	return &t->seen[(word >> 5) & (S9_REPORTED_SEEN - 1)];
}

static __always_inline __u64
s9_seen_word(const struct s9_reported *t, __u64 word)
{
	return word | (__u64)t->serial << 48;
}

/* Goes on to the next word that may be the address of a state, among those in
 * a row; candidate is 0 if there is none.  Both results are in memory, so that
 * they are one state for the verifier. */
static __always_inline void
s9_next_candidate(struct s9_reported *t)
{
	__u64 row = t->seek & ~(8ULL * S9_IN_ROW - 1);
	__u64 offset = t->seek < S9_REGISTERS ?
	    row & (S9_REGISTERS - 8 * S9_IN_ROW) :
	    row & (S9_REPORTED_NEAR - 8 * S9_IN_ROW);
	const __u8 *from = t->seek < S9_REGISTERS ?
	    (const __u8 *)t->registers + offset : t->near_bytes + offset;

	t->candidate = 0;
#pragma unroll
	for (__u32 i = 0; i < S9_IN_ROW; i++) {
		__u64 word = *(const __u64 *)(from + 8 * i);

		if (row + 8 * i < t->seek || word < S9_LOWEST ||
		    word >= S9_HIGHEST || (word & 7) != 0 ||
		    word - t->sp < t->end_of_stack - t->sp ||
		    *s9_seen_place(t, word) == s9_seen_word(t, word))
			continue;
		t->candidate = word;
		t->seek = row + 8 * i + 8;
		return;
	}
	t->seek = row + 8 * S9_IN_ROW;
}

/* True if a word leads to a state that runs on this stack, around the last one:
 * then its first bytes have been read. */
static __always_inline int
s9_is_state(const struct s9_states *s, struct s9_reported *t, __u64 word)
{
	__u32 bytes = s->bytes;
	__u64 entered, back = 0;

	asm volatile("" : "+r"(bytes));
	if (bytes > S9_CHAIN_FRAME || bpf_probe_read_user(t->frame_bytes, bytes,
	    (const void *)word) != 0 ||
	    t->frame_bytes[s->kind & (S9_CHAIN_FRAME - 1)] != s->kind_value)
		return 0;
	entered = s9_member(t, s->entered) & ~7ULL;
	return entered > t->entered && entered < t->end_of_stack &&
	    !s9_word_of_user((s9_member(t, s->leads) & ~7ULL) + s->back,
	    &back) && back == word + s->back_is;
}

static __always_inline void
s9_offer_state(const struct s9_states *s, struct s9_reported *t)
{
	__u64 word = *(volatile __u64 *)&t->candidate, entered;

	if (word == 0 || word == t->around_state)
		return;
	if (!s9_is_state(s, t, word)) {
		*s9_seen_place(t, word) = s9_seen_word(t, word);
		return;
	}
	entered = s9_member(t, s->entered) & ~7ULL;
	if (t->around_state == 0 || entered < t->around_entered) {
		t->around_state = word;
		t->around_entered = entered;
	}
}

/* Reads the state that was found.  Its global object is to be reported. */
static __always_inline enum s9_found
s9_enter_state(const struct s9_frame_chain *c, struct s9_reported *t,
    __u64 *global)
{
	t->state = t->around_state;
	t->entered = t->around_entered;
	t->around_state = 0;
	t->seeks_state = 0;
	if (s9_word_of_user(t->state + c->frame, &t->frame) ||
	    s9_word_of_user(t->state + c->states.global, global) ||
	    t->frame == 0)
		return S9_FOUND_FAULT;
	return S9_FOUND_OBJECT;
}

/* If the words end below the place where a state was entered, another one may
 * lie further inside. */
static __always_inline enum s9_found
s9_end_of_words(struct s9_reported *t)
{
	t->seeks_state = 0;
	return t->around_state != 0 ? S9_FOUND_FAULT : S9_FOUND_NOTHING;
}

static __always_inline enum s9_found
s9_seek_state(const struct s9_frame_chain *c, struct s9_reported *t,
    __u64 *global)
{
	if (t->around_state != 0 && t->seek >= S9_REGISTERS &&
	    t->seek > t->around_entered + c->states.room)
		return s9_enter_state(c, t, global);
	if (t->seek == S9_REGISTERS)
		t->seek = t->state != 0 ? t->entered & ~7ULL :
		    (t->sp - S9_BELOW_SP) & ~7ULL;
	if (t->seek >= S9_REGISTERS && t->seek >= t->end_of_stack) {
		/* The room above the last one may be outside. */
		if (t->around_state != 0 &&
		    t->end_of_stack - t->sp < S9_REPORTED_STACK)
			return s9_enter_state(c, t, global);
		return s9_end_of_words(t);
	}
	if (s9_read_around_sp(t))
		return S9_FOUND_NOTHING;
	s9_next_candidate(t);
	s9_offer_state(&c->states, t);
	return S9_FOUND_NOTHING;
}

/* Looks for the state around the one whose frames have ended. */
static __always_inline void
s9_leave_state(struct s9_reported *t)
{
	t->frame = 0;
	t->seek = S9_REGISTERS;
	t->seeks_state = 1;
}

/* Gives what a frame's value leads to: code, or with S9_WORD_MARKED a function
 * of C. */
static __always_inline enum s9_found
s9_frame_of_state(const struct s9_frame_chain *c, struct s9_reported *t,
    __u64 *code, __u64 *bits)
{
	const struct s9_states *s = &c->states;
	__u32 kind;
	__u64 what;

	if (bpf_probe_read_user(t->around, 16,
	    (const void *)s9_member(t, c->code)) != 0)
		return S9_FOUND_FAULT;
	what = t->around[0];
	kind = (__u32)t->around[1] & s->value_kinds;
	if ((kind == s->value_code || kind == s->value_object) &&
	    s9_word_of_user(what + s->of_value, &what))
		return S9_FOUND_FAULT;
	if (kind != s->value_code) {
		if (kind != s->value_object && kind != s->value_function)
			return S9_FOUND_FAULT;
		*bits = S9_WORD_MARKED;
	}
	*code = what;
	return S9_FOUND_OBJECT;
}

/* The position that the innermost frame keeps may be an earlier one.  The
 * register that has it leads into the code.  It is the same at two places, or
 * it is not known. */
static __always_inline __u64
s9_position_in_register(const struct s9_states *s, const struct s9_reported *t,
    __u64 base)
{
	__u32 offset = s->count & (S9_CHAIN_CODE - 4);
	__u64 bytes = 4ULL * *(const __u32 *)(t->code_bytes + offset);
	__u64 found = 0;

#pragma unroll
	for (__u32 i = 0; i < S9_SAVED; i++) {
		__u64 at = t->registers[i];

		if (at - base - 1 >= bytes || (at & 3) != 0)
			continue;
		if (found != 0 && found != at)
			return 0;
		found = at;
	}
	return found;
}

static __always_inline __u32
s9_status_of_frame(const struct s9_states *s, const struct s9_reported *t)
{
	__u32 offset = s->status & (S9_CHAIN_FRAME - 2);

	return *(const __u16 *)(t->frame_bytes + offset) & s->status_mask;
}

/* The position of a frame with code, and bits of its status. */
static __always_inline __u32
s9_position_of_state(const struct s9_frame_chain *c, struct s9_reported *t,
    __u64 base)
{
	const struct s9_states *s = &c->states;
	__u32 status = s9_status_of_frame(s, t);
	__u64 at = s9_member(t, c->position), exact;

	if (base == 0)
		return S9_NO_POSITION;
	if (t->is_innermost && s->count != S9_NOT_THERE) {
		exact = s9_position_in_register(s, t, base);
		if (exact != 0)
			at = exact;
		else
			status |= S9_STATUS_EARLIER;
	}
	at = (at - base) >> 2;
	return at >> (31 - S9_STATUS) != 0 ? S9_NO_POSITION :
	    (__u32)at << S9_STATUS | status;
}

/* The second word of a pair of a state; its: NULL for a pair that is marked. */
static __always_inline __u64
s9_more_of_state(const struct s9_frame_chain *c, struct s9_reported *t,
    __u64 code, __u64 bits, const struct s9_reported_code *its)
{
	__u32 position;

	if ((bits & S9_WORD_MARKED) == 0)
		position = s9_position_of_state(c, t, its->base);
	else if ((bits & S9_WORD_ENDS) != 0)
		return 0;
	else
		position = (__u32)(code & S9_WORD_BITS) << S9_STATUS |
		    s9_status_of_frame(&c->states, t);
	t->is_innermost = 0;
	return S9_WORD_FRAME(position, its == NULL ? 0 : its->cookie);
}

#endif /* STACK9_REPORT_STATE_H */
