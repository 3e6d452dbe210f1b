/*
 * Follows the frames that a language's runtime keeps of the current thread, as
 * its reader has described them, and reports them as pairs of words.
 *
 * The thread is in the event, so its own frames do not change meanwhile.  The
 * lists of threads may, and a page may not be in memory: then a part comes.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_FOLLOW_CHAIN_H
#define STACK9_FOLLOW_CHAIN_H

#include "report_context.h"

struct s9_following {
	const struct s9_frame_chain	*chain;
	struct s9_reported			*reported;
	__u32				finds;	/* the thread, at first */
};

/* True if a thread is this one and still in its list: its neighbour says so. */
static __always_inline int
s9_is_listed(const struct s9_frame_chain *c, __u64 thread, __u64 identity)
{
	__u64 word = 0, link = 0;

	if (thread == 0 || s9_word_of_user(thread + c->identity, &word) ||
	    word != identity ||
	    s9_word_of_user(thread + c->previous_thread, &word))
		return 0;
	if (word != 0)
		return !s9_word_of_user(word + c->next_thread, &link) &&
		    link == thread;
	return !s9_word_of_user(thread + c->group, &word) &&
	    !s9_word_of_user(word + c->first_thread, &link) && link == thread;
}

/* Goes from a thread to the next one, or to the next group's first.  1: it has
 * found the thread, or there is none. */
static __always_inline long
s9_find_on(const struct s9_frame_chain *c, struct s9_reported *t)
{
	__u64 group = t->group, thread = t->thread, word = 0;

	if (thread == 0) {
		if (group == 0)
			return 1;
		if (s9_word_of_user(group + c->first_thread, &thread) ||
		    s9_word_of_user(group + c->next_group, &group))
			group = thread = 0;
		t->group = group;
		t->thread = thread;
		return 0;
	}
	if (s9_word_of_user(thread + c->identity, &word) ||
	    word == t->identity)
		return 1;
	t->thread = 0;
	if (s9_word_of_user(thread + c->next_thread, &word) == 0)
		t->thread = word;
	return 0;
}

/* One function for both, because an object may have few. */
static long
s9_follow_on(__u32 number, struct s9_following *x)
{
	if (x->finds)
		return s9_find_on(x->chain, x->reported);
	return x->chain->contexts.bytes != 0 ?
	    s9_report_context(x->chain, x->reported) :
	    s9_report_frame(x->chain, x->reported);
}

static __always_inline int
s9_find_thread(struct s9_following *x, __u64 *known)
{
	const struct s9_frame_chain *c = x->chain;
	struct s9_reported *t = x->reported;

	if (s9_is_listed(c, *known, t->identity)) {
		t->thread = *known;
		return 1;
	}
	t->thread = 0;
	if (s9_word_of_user(c->groups, &t->group))
		return 0;
	x->finds = 1;
	bpf_loop(S9_REPORTED_THREADS, s9_follow_on, x, 0);
	x->finds = 0;
	if (t->thread == 0 || !s9_is_listed(c, t->thread, t->identity))
		return 0;
	*known = t->thread;
	return 1;
}

/* A record is that of the thread if it leads back to the thread, or if it has
 * no word that would.  1: it is found. */
static __always_inline int
s9_find_record(const struct s9_frame_chain *c, struct s9_reported *t)
{
	__u64 at = t->identity;

#pragma unroll
	for (__u32 i = 0; i < S9_STEPS; i++) {
		if (c->path[i] == S9_NOT_THERE)
			break;
		if (s9_word_of_user(at + c->path[i], &at)) {
			t->end = S9_REPORTED_FAULT;
			return 0;
		}
		/* The C library has given no memory, or nothing is in it. */
		if (at == 0 || at == ~0ULL)
			return 0;
	}
	t->thread = at;
	if (c->proof[0] == S9_NOT_THERE)
		return 1;
#pragma unroll
	for (__u32 i = 0; i < S9_STEPS; i++) {
		if (c->proof[i] == S9_NOT_THERE)
			break;
		if (s9_word_of_user(at + c->proof[i], &at))
			at = 0;
	}
	if (at == t->identity)
		return 1;
	t->end = S9_REPORTED_FAULT;
	return 0;
}

/* 1: the frame is not in the array. */
static __always_inline int
s9_first_of_array(const struct s9_frame_chain *c, struct s9_reported *t)
{
	__u64 begin = 0, words = 0, frame = 0;

	if (s9_word_of_user(t->thread + c->array, &begin) ||
	    s9_word_of_user(t->thread + c->array_words, &words) ||
	    s9_word_of_user(t->thread + c->frame, &frame))
		return 1;
	if (frame == 0)
		return 0;
	words *= 8;
	if (frame < begin || frame - begin >= words ||
	    (begin + words - frame) % c->step != 0)
		return 1;
	t->end_of_frames = begin + words;
	t->frame = frame;
	return 0;
}

static __always_inline int
s9_first_frame(const struct s9_frame_chain *c, struct s9_reported *t)
{
	__u64 word = 0;

	t->frame = 0;
	if (c->contexts.bytes != 0)
		return s9_first_context(&c->contexts, t);
	if (c->kind == S9_CHAIN_OF_STATES) {
		s9_first_state(t);
		return 0;
	}
	if (c->kind == S9_CHAIN_OF_PROCESS)
		return s9_word_of_user(c->groups, &t->frame);
	if (c->step != 0)
		return s9_first_of_array(c, t);
	if (s9_word_of_user(t->thread + c->frame, &word))
		return 1;
	if (c->frame_in_record != S9_NOT_THERE && (word == 0 ||
	    s9_word_of_user(word + c->frame_in_record, &word)))
		word = 0;
	t->frame = word;
	return 0;
}

/* True if this thread may have frames. */
static __always_inline int
s9_has_frames(struct s9_following *x, __u64 *known)
{
	switch (x->chain->kind) {
	case S9_CHAIN_OF_THREADS:
		return s9_find_thread(x, known);
	case S9_CHAIN_OF_PROCESS:
		return x->reported->tid == x->reported->space.pid;
	case S9_CHAIN_OF_POINTER:
		return s9_find_record(x->chain, x->reported);
	case S9_CHAIN_OF_STATES:
		return x->reported->sp != 0;
	default:
		return 0;
	}
}

/* Reports the frames of the current thread.  The element with this number has
 * its space and identity.  It is global: the verifier checks it once. */
__noinline int
s9_follow(__u32 number)
{
	struct s9_reported *t = bpf_map_lookup_elem(&reported, &number);
	struct s9_following x = {};
	__u64 *known;
	__u32 place;

	if (t == NULL)
		return 0;
	t->near = t->near_around = 0;
	t->seeks = t->compares = t->has_contexts = t->seeks_state = 0;
	t->waits = t->thread = 0;
	t->left = 0;
	t->serial++;
	x.reported = t;
	x.chain = bpf_map_lookup_elem(&chains, &t->space);
	place = t->tid & (S9_LISTED - 1);
	known = bpf_map_lookup_elem(&listed, &place);
	if (x.chain == NULL || known == NULL || !s9_has_frames(&x, known))
		return 0;
	if (s9_first_frame(x.chain, t)) {
		t->end = S9_REPORTED_FAULT;
		return 0;
	}
	bpf_loop(S9_REPORTED_STEPS, s9_follow_on, &x, 0);
	if (s9_is_going_on(t) && t->end == S9_REPORTED_WHOLE)
		t->end = S9_REPORTED_DEEP;
	return 0;
}

#endif /* STACK9_FOLLOW_CHAIN_H */
