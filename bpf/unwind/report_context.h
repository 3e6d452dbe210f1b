/*
 * Reads the stacks of contexts that a language's runtime keeps, and reports
 * them as pairs of words.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_REPORT_CONTEXT_H
#define STACK9_REPORT_CONTEXT_H

#include "report_frame.h"


/* Bytes of a stack that are looked at. */
#define	S9_CONTEXT_STACK	48

/* 1: there is nothing to be read. */
static __always_inline int
s9_first_context(const struct s9_contexts *x, struct s9_reported *t)
{
	t->frame = 0;
	t->has_contexts = 1;
	return s9_word_of_user(t->thread + x->stack, &t->stack) ||
	    s9_word_of_user(t->thread + x->statement, &t->statement) ||
	    s9_word_of_user(t->thread + x->operation, &t->operation);
}

static __always_inline enum s9_found
s9_next_stack(const struct s9_contexts *x, struct s9_reported *t)
{
	if (bpf_probe_read_user(t->frame_bytes, S9_CONTEXT_STACK,
	    (const void *)t->stack) != 0)
		return S9_FOUND_FAULT;
	t->contexts = s9_member(t, x->array);
	t->stack = s9_member(t, x->around);
	t->left = s9_number_of_frame(t, x->last) + 1;
	t->enters = 0;
	t->compares = s9_number_of_frame(t, x->stack_kind) == x->comparing;
	return S9_FOUND_NOTHING;
}

/* The object that has the name of a callee is the base of what is kept. */
static __always_inline const struct s9_reported_code *
s9_kept_callee(const struct s9_frame_chain *c, struct s9_reported *t,
    __u64 callee)
{
	const struct s9_contexts *x = &c->contexts;
	const struct s9_reported_object *o = &x->of_callee;
	struct s9_reported_code *kept = s9_place_of_code(t, callee);
	__u32 bytes = o->bytes;
	__u64 body = 0, name;

	if (kept->code == callee && kept->serial == t->serial)
		return kept;
	kept->code = kept->base = callee;
	kept->serial = t->serial;
	kept->cookie = 0;
	asm volatile("" : "+r"(bytes));
	if (bytes > S9_CHAIN_CODE || s9_word_of_user(callee + o->through,
	    &body) || bpf_probe_read_user(t->code_bytes, bytes,
	    (const void *)(body + o->from)) != 0)
		return kept;
	name = s9_of_code(t, x->name);
	if ((s9_of_code(t, x->flags) & x->named) == 0) {
		o = &c->of_entry;
		bytes = o->bytes;
		asm volatile("" : "+r"(bytes));
		if (name == 0 || bytes > S9_CHAIN_CODE ||
		    bpf_probe_read_user(t->code_bytes, bytes,
		    (const void *)(name + o->from)) != 0)
			return kept;
		kept->base = name;
	}
	kept->cookie = s9_cookie_of(o, t, 0);
	return kept;
}

static __always_inline void
s9_found_statement(const struct s9_frame_chain *c, struct s9_reported *t,
    __u64 *word, __u64 *more)
{
	__u64 statement = t->statement, distance = t->operation - statement;
	__u32 position = S9_NO_POSITION;

	t->statement = 0;
	if (t->operation != 0 && (distance + 0x80000000ULL) >> 32 == 0)
		position = (__u32)distance;
	*word = (statement & c->code_mask) | S9_WORD_MARKED;
	*more = S9_WORD_FRAME(position,
	    s9_kept_code(c, &c->of_code, t, statement, 0)->cookie);
}

static __always_inline enum s9_found
s9_found_eval(const struct s9_frame_chain *c, struct s9_reported *t, int ends,
    __u64 *word, __u64 *more)
{
	__u64 handler = s9_member(t, c->contexts.handler), outer = 0, first = 0;
	__u32 bits = ends ? S9_EVAL_ENTERED : 0;

	if (s9_word_of_user(handler, &outer) ||
	    (outer != 0 && s9_word_of_user(outer, &first)))
		return S9_FOUND_FAULT;
	if (first != 0)
		bits |= S9_EVAL_WITHIN;
	*word = (handler & c->code_mask) | S9_WORD_MARKED | S9_WORD_ENDS;
	*more = S9_WORD_FRAME(outer, bits);
	return S9_FOUND_OBJECT;
}

/* A context that is no frame and the call in it may go back to C at once. */
static __always_inline enum s9_found
s9_found_call(const struct s9_frame_chain *c, struct s9_reported *t, int ends,
    int again, __u64 *word, __u64 *more)
{
	__u64 callee = s9_member(t, c->contexts.callee);
	const struct s9_reported_code *its;

	if (callee == 0)
		return S9_FOUND_FAULT;
	ends = ends && !(again && t->enters);
	t->enters = ends;
	its = s9_kept_callee(c, t, callee);
	*word = (its->base & c->code_mask) | (ends ? S9_WORD_ENDS : 0);
	*more = S9_WORD_FRAME(0, its->cookie);
	if (ends)
		t->compares = 0;
	return S9_FOUND_OBJECT;
}

static __always_inline enum s9_found
s9_found_context(const struct s9_frame_chain *c, struct s9_reported *t,
    __u64 *word, __u64 *more)
{
	const struct s9_contexts *x = &c->contexts;
	enum s9_found found;
	int again, fails;
	__u64 back;
	__u32 kind;

	t->left--;
	t->frame = t->contexts + x->bytes * (__u64)(__u32)t->left;
	fails = s9_read_frame(c, t);
	t->frame = 0;
	if (fails)
		return S9_FOUND_FAULT;
	kind = s9_byte_of_frame(t, 0) & x->kind_mask;
	again = kind != x->another_call &&
	    (s9_byte_of_frame(t, 0) & x->again) != 0;
	back = s9_member(t, x->back);
	if (kind == x->eval)
		found = s9_found_eval(c, t, back == 0, word, more);
	else if (kind == x->call || kind == x->another_call)
		found = s9_found_call(c, t, back == 0, again, word, more);
	else
		return S9_FOUND_NOTHING;
	if (!again) {
		t->statement = s9_member(t, x->from);
		t->operation = back;
	}
	return found;
}

/* Finds what comes next: a context, a comparison, the next stack or the end. */
static __always_inline enum s9_found
s9_found_next(const struct s9_frame_chain *c, struct s9_reported *t,
    __u64 *word, __u64 *more)
{
	if (t->left > 0)
		return s9_found_context(c, t, word, more);
	if (t->compares) {
		t->compares = 0;
		*word = S9_WORD_ENDS;
	} else if (t->stack != 0) {
		return s9_next_stack(&c->contexts, t);
	} else {
		t->has_contexts = 0;
		*word = S9_WORD_MARKED;
	}
	return S9_FOUND_OBJECT;
}

/* Reports what comes next, and the statement that it came from.  1: there is
 * nothing, or no more can be reported. */
static __always_inline long
s9_report_context(const struct s9_frame_chain *c, struct s9_reported *t)
{
	__u32 at = t->count;
	__u64 word = 0, more = 0;
	enum s9_found found;

	if (!s9_is_going_on(t))
		return 1;
	asm volatile("" : "+r"(at));
	if (at > S9_REPORTED_WORDS - 4) {
		t->end = S9_REPORTED_DEEP;
		return 1;
	}
	if (t->statement == 0) {
		found = s9_found_next(c, t, &word, &more);
		if (found != S9_FOUND_OBJECT) {
			if (found == S9_FOUND_FAULT)
				t->end = S9_REPORTED_FAULT;
			return found == S9_FOUND_FAULT;
		}
		t->words[at] = word;
		t->words[at + 1] = more;
		at += 2;
	}
	if (t->statement != 0) {
		s9_found_statement(c, t, &word, &more);
		t->words[at] = word;
		t->words[at + 1] = more;
		at += 2;
	}
	t->count = at;
	return 0;
}

#endif /* STACK9_REPORT_CONTEXT_H */
