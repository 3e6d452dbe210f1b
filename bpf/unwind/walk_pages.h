/*
 * Finds the rule of a pc: in its slot, then among the rows of its page.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_PAGES_H
#define STACK9_LEARNED_WALK_PAGES_H

#include "jit_key.h"
#include "walk_calls.h"
#include "walk_code.h"

static __always_inline __u32
s9_row(__u32 number)
{
	__u32 pair = number / 2;
	__u64 *rows_of = bpf_map_lookup_elem(&rows, &pair);

	return rows_of == NULL ? 0 : (__u32)(*rows_of >> (number % 2 * 32));
}

/* The rule of a place in a page, by the page's rows; 0: they do not say.  It is
 * global: see walk_words.h. */
__noinline int
s9_rule_in_page(__u32 page, __u32 place)
{
	__u64 *known = bpf_map_lookup_elem(&pages, &page);
	__u32 first, n, last = S9_ROW(place, S9_RULE_MASK);

	if (walk_cfg.slot_bits == 0 || known == NULL || *known == 0)
		return 0;
	first = S9_FIRST_ROW(*known);
	n = S9_ROW_COUNT(*known);
	for (__u32 step = 0; step < 13 && n > 1; step++) {
		__u32 half = n / 2;

		if (s9_row(first + half) <= last)
			first += half;
		n -= half;
	}
	return s9_row(first) & S9_RULE_MASK;
}

/* Keeps a rule in its first slot if that is free. */
static __always_inline void
s9_keep_rule(__u64 *slots, __u64 key, __u32 rule)
{
	__u64 *slot = slots + s9_first_slot(key);

	if (*slot == 0)
		__sync_val_compare_and_swap(slot, 0,
		    key << S9_RULE_BITS | rule);
}

/* The innermost pc of an event will come again, and that of a sample may not:
 * one of so many is kept in a slot. */
#define	S9_KEPT_OF	16

/* The rule of the walk's pc at this offset of its code; 0: the rule is not
 * known. */
static __always_inline __u32
s9_find_rule(const struct s9_walker *w, __u64 *slots, __u64 offset)
{
	__u64 key = w->now.key + offset;
	__u32 rule = s9_rule_of(slots, key);

	if (rule != 0 || w->now.first == 0)
		return rule;
	rule = s9_rule_in_page(w->now.first + (__u32)(offset / S9_CODE_PAGE),
	    (__u32)offset % S9_CODE_PAGE);
	if (S9_RULE_IS_BY_CODE(rule))
		rule = s9_rule_by_code(w->now.start + offset);
	if (rule != 0 && (w->called ||
	    bpf_get_prandom_u32() % S9_KEPT_OF == 0))
		s9_keep_rule(slots, key, rule);
	return rule;
}

#endif /* STACK9_LEARNED_WALK_PAGES_H */
