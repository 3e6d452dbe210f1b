/*
 * What is set before the programs are loaded, and the maps that they share.
 * Sizes that stand here as 1 are set then too.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_MAPS_H
#define STACK9_EVENT_MAPS_H

#include "event_record.h"
#include "bpf/sample.h"

/*
 * Constants to the verifier, which drops what they rule out: so a kernel that
 * lacks a helper is only told of it where it is wanted.
 */
SEC(".rodata.cfg") const volatile struct s9_config cfg;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, __u32);
	__type(value, struct s9_control_word);
} control SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct s9_ns);
} my_ns SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct s9_totals);
} totals SEC(".maps");

/* S9_LEVELS for each CPU, each one's who has claimed it.  Not per-CPU
 * alone, for programs may be preempted by others. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, 4096);
} scratch SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, 65536);
} copies SEC(".maps");

#define	S9_TABLE(name, frames)						\
struct {								\
	__uint(type, BPF_MAP_TYPE_HASH);				\
	__uint(max_entries, 1);						\
	__uint(key_size, 8);						\
	__uint(value_size, sizeof(struct s9_counted) + (frames) * 8);	\
} name SEC(".maps")

S9_TABLE(table_0, S9_SIZE_0);
S9_TABLE(table_1, S9_SIZE_1);
S9_TABLE(table_2, S9_SIZE_2);
S9_TABLE(table_3, S9_SIZE_3);
S9_TABLE(table_4, S9_ABREAST);

/* Whom the reader has been told of. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct s9_space);
	__type(value, __u32);
} processes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} ring SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, 4);
} cgroups SEC(".maps");

/* By number: 1 and the index of the point; 0: not wanted. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, S9_SYSCALLS);
	__type(key, __u32);
	__type(value, __u32);
} syscalls SEC(".maps");

/* The kernel's own stacks. */
struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, 8);
} stack_map SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct s9_ids_key);
	__type(value, struct s9_count);
} ids SEC(".maps");

/* Zeroes, as many as a struct s9_blocked has bytes with its frames. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, 4096);
} nothing SEC(".maps");

/* By tid in the init pid namespace. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, 4096);
} blocked SEC(".maps");

static __always_inline struct s9_control_word *
s9_word(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&control, &zero);
}

static __always_inline struct s9_totals *
s9_totals(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&totals, &zero);
}

#define	S9_COUNT_UP(field) do {						\
	struct s9_totals *t_ = s9_totals();				\
									\
	if (t_ != NULL)							\
		__sync_fetch_and_add(&t_->field, 1);			\
} while (0)

static __always_inline int
s9_is_over(void)
{
	struct s9_control_word *c = s9_word();

	return c == NULL || *(volatile __u32 *)&c->off != 0;
}

/*
 * An event begins that claims no scratch: 0 if it is one.  It is counted before
 * it is looked whether the end has been reached; so who says that it has, and
 * then finds as many done as events, knows that there will be no more.
 */
static __always_inline int
s9_begin(struct s9_totals *t)
{
#ifdef S9_INDIRECT
	__sync_fetch_and_add(&t->events, 1);
#else
	/* With its result, it is a barrier on every CPU. */
	__u64 before = __sync_fetch_and_add(&t->events, 1);

	asm volatile("" : : "r"(before));
#endif
	if (!s9_is_over())
		return 0;
	__sync_fetch_and_add(&t->late, 1);
	__sync_fetch_and_add(&t->done, 1);
	return 1;
}

#endif /* STACK9_EVENT_MAPS_H */
