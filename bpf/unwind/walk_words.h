/*
 * Reads a thread's stack for a walk: many words at once, because each read has
 * a fixed cost.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_WORDS_H
#define STACK9_LEARNED_WALK_WORDS_H

#include "walk_maps.h"
#include "bpf/user_sample.h"

#define	S9_WORDS_ROOM	(32 * 1024)
#define	S9_SPAN_STEP	128

struct s9_words {
	char	bytes[S9_WORDS_ROOM];
};

/* Reads up to size bytes from this address on.  0; or not even one word can be
 * read.  This function and s9_leave_any() are global: the verifier checks them
 * once, not on each way to them, of which kernels from 6.19 on follow many. */
__noinline int
s9_read_words(struct s9_walker *w, struct s9_words *words, __u64 at,
    __u32 size)
{
	__u32 bytes = size;
	__u64 left;
	char *to;

	if (walk_cfg.slot_bits == 0 || w == NULL || words == NULL)
		return 1;
	to = words->bytes;
	left = w->end - at;
	at &= ~7ULL;
	/* A read past the end of the stack would fail.  That takes longer than
	 * any read. */
	if (left < bytes)
		bytes = (__u32)left & ~7U;
	asm volatile("" : "+r"(bytes));
	if (bytes < 8 || bytes > S9_WORDS_ROOM)
		return 1;
	w->base = at;
	w->bytes = bytes;
	if (bpf_probe_read_user(to, bytes, (const void *)at) == 0)
		return 0;
	bytes = S9_PAGE - ((__u32)at & (S9_PAGE - 1));
	w->bytes = bytes;
	if (bpf_probe_read_user(to, bytes, (const void *)at) == 0)
		return 0;
	w->bytes = 0;
	return 1;
}

/* 0, and the word at the address; or it cannot be read. */
static __always_inline int
s9_word_at(struct s9_walker *w, struct s9_words *words, __u64 at, __u64 *word)
{
	__u64 offset = at - w->base;

	if (offset >= w->bytes || (offset & 7) != 0) {
		if ((at & 7) != 0 || s9_read_words(w, words, at, S9_PAGE) != 0)
			return 1;
		offset = 0;
	}
	if (at > w->top)
		w->top = at;
	asm volatile("" : "+r"(offset));
	offset &= S9_WORDS_ROOM - 8;
	*word = *(__u64 *)(words->bytes + offset);
	return 0;
}

/* Reads as much of the stack as the thread's last walk needed. */
static __always_inline int
s9_first_words(struct task_struct *p, struct mm_struct *mm,
    struct s9_memo *memo, struct s9_walker *w, struct s9_words *words)
{
	__u32 bytes = 2 * S9_SPAN_STEP;

	if (memo->tid == S9_GET(p, pid))
		bytes = memo->bytes;
	w->end = s9_nearer(w->sp, S9_GET(p, thread.fsbase),
	    mm->start_stack + S9_OUTERMOST);
	if (s9_read_words(w, words, w->sp - S9_RED_ZONE, bytes) == 0)
		return 0;
	return s9_read_words(w, words, w->sp, bytes);
}

/* sp: where the walk began. */
static __always_inline void
s9_keep_span(struct task_struct *p, struct s9_memo *memo,
    const struct s9_walker *w, __u64 sp)
{
	__u64 used = w->top + 8 - (sp - S9_RED_ZONE);

	if (used > S9_WORDS_ROOM)
		return;
	used = (used + S9_SPAN_STEP - 1) & ~(__u64)(S9_SPAN_STEP - 1);
	memo->tid = S9_GET(p, pid);
	memo->bytes = (__u32)used;
}

#endif /* STACK9_LEARNED_WALK_WORDS_H */
