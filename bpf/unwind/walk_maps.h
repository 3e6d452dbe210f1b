/*
 * Defines the maps of the walk by learned rules.  A size of 1 here is replaced
 * by the real one before the programs are loaded.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_MAPS_H
#define STACK9_LEARNED_WALK_MAPS_H

#include "kernel_types.h"
#include "layout.h"

SEC(".rodata.walk") const volatile struct s9_walk_config walk_cfg;

/* All slots in one element: a program looks it up once, and not each slot.  The
 * publisher has it mapped and writes its slots without a system call. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(key_size, 4);
	__uint(value_size, 8);
} rules SEC(".maps");

/* The other parts: the publisher makes them when they are needed. */
struct s9_rules_part {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(key_size, 4);
	__uint(value_size, 8);
};
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct s9_rules_part);
} more_rules SEC(".maps");

/* The publisher has both mapped, too.  An element of the rows holds two. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, __u32);
	__type(value, __u64);
} pages SEC(".maps"), rows SEC(".maps");

/* Key: struct s9_space. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__uint(key_size, 16);
	__uint(value_size, sizeof(struct s9_mapped));
} mapped SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct s9_memo);
} memos SEC(".maps");

static __always_inline __u64 *
s9_slots(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&rules, &zero);
}

/* The lists that the publisher has given so far. */
static __always_inline __u64
s9_reported(const __u64 *slots)
{
	return *(const volatile __u64 *)(slots + (1ULL << walk_cfg.slot_bits));
}

static __always_inline __u64
s9_first_slot(__u64 key)
{
	return S9_SLOT_OF_KEY(key, walk_cfg.slot_bits);
}

/* The rule of a key in one part; 0: it has none; S9_FULL: nor can it get one
 * there. */
static __always_inline __u32
s9_rule_in_part(const __u64 *slots, __u64 key)
{
	__u64 first = s9_first_slot(key);

	for (__u32 way = 0; way < S9_WAYS; way++) {
		__u64 slot = slots[first ^ way];

		if (slot >> S9_RULE_BITS == key)
			return (__u32)(slot & S9_RULE_MASK);
		if (slot == 0)
			return 0;
	}
	return S9_FULL;
}

/* The rule of a key; 0: it has none.  The verifier follows the search of each
 * part that there can be: this is most of what a start takes. */
static __always_inline __u32
s9_rule_of(const __u64 *slots, __u64 key)
{
	__u32 rule = s9_rule_in_part(slots, key), zero = 0;

	for (__u32 part = 0; rule == S9_FULL && part < walk_cfg.more_parts;
	    part++) {
		__u32 index = part;
		void *map = bpf_map_lookup_elem(&more_rules, &index);

		if (map == NULL)
			return 0;
		slots = bpf_map_lookup_elem(map, &zero);
		if (slots == NULL)
			return 0;
		rule = s9_rule_in_part(slots, key);
	}
	return rule & S9_RULE_MASK;
}

#endif /* STACK9_LEARNED_WALK_MAPS_H */
