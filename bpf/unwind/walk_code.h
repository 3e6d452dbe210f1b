/*
 * Finds the code that a pc is in, among what the process has mapped as far as
 * the publisher knows.  The kernel confirms each mapping before it is used, and
 * again after any change of the process's mappings.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_CODE_H
#define STACK9_LEARNED_WALK_CODE_H

#include "walk_confirm.h"
#include "walk_maps.h"

/* It is in memory, where the verifier does not follow each value of it. */
#define	s9_index(w)	(*(volatile __u32 *)&(w)->index)

static __always_inline __u32
s9_confirm_again(struct task_struct *p, struct s9_mapped *m,
    const struct s9_walker *w, struct s9_code *code)
{
	if (code->gone == w->stamp)
		return S9_WALK_STALE;
	if (!s9_is_still(code, m->memory))
		return w->changing ? S9_WALK_BUSY : s9_confirm(p, code,
		    w->stamp);
	if (!w->changing)
		code->stamp = w->stamp;
	return S9_WALK_WHOLE;
}

/* Makes the code at this address that of the walk if it is one of those that
 * the walker remembers.  1: it is none.  It is global: see walk_words.h. */
__noinline int
s9_enter_near(struct s9_walker *w, __u64 at)
{
	if (w == NULL)
		return 1;
#pragma unroll
	for (__u32 i = 0; i < S9_NEAR; i++)
		if (at - w->near[i].start < w->near[i].size) {
			w->now = w->near[i];
			if (w->now.since > w->number)
				w->number = w->now.since;
			return 0;
		}
	return 1;
}

/* Makes the code at this address that of the walk.  How it ended: S9_WALK_WHOLE
 * if it is known. */
static __noinline __u32
s9_enter_code(struct s9_walker *w, __u64 at)
{
	struct s9_mapped *m = bpf_map_lookup_elem(&mapped, w->space);
	struct s9_code *code;
	__u64 serial;
	__u32 how;

	if (m == NULL)
		return S9_WALK_NEW_PROCESS;
	serial = *(volatile __u64 *)&m->serial_again;
	if (m->memory != w->memory)
		return S9_WALK_STALE;
	s9_index(w) = 0;
#pragma unroll
	for (__u32 step = S9_MOST_CODE / 2; step > 0; step /= 2) {
		__u32 next = (s9_index(w) + step) & (S9_MOST_CODE - 1);

		if (next < m->count && m->code[next].start <= at)
			s9_index(w) = next;
	}
	code = &m->code[s9_index(w) & (S9_MOST_CODE - 1)];
	if (at - code->start >= code->size)
		return S9_WALK_NEW_CODE;
	if (code->stamp != w->stamp) {
		how = s9_confirm_again(bpf_get_current_task_btf(), m, w, code);
		if (how != S9_WALK_WHOLE)
			return how;
	}
	w->now.start = code->start;
	w->now.size = code->size;
	w->now.key = code->key;
	w->now.first = code->first;
	w->now.since = code->since;
	if (*(volatile __u64 *)&m->serial != serial)
		return S9_WALK_BUSY;
	if (w->now.since > w->number)
		w->number = w->now.since;
	if (w->confirmed == w->stamp)
		w->near[w->next++ & (S9_NEAR - 1)] = w->now;
	return S9_WALK_WHOLE;
}

#endif /* STACK9_LEARNED_WALK_CODE_H */
