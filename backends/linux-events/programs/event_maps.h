/*
 * Defines the configuration of the programs, set before they are loaded, and
 * the maps that they share.  A size of 1 here is replaced by the real one at
 * that time too.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_MAPS_H
#define STACK9_EVENT_MAPS_H

#include "event_record.h"
#include "bpf/sample.h"

/* The object with walks has all the functions that a loader program has room
 * for.  In the others the verifiers of old kernels are helped by functions. */
#ifdef S9_WALKS
#define	S9_APART	static __always_inline
#else
#define	S9_APART	static __noinline
#endif

/*
 * These are constants to the verifier: it drops the code that they rule out.
 * So a kernel that lacks a helper sees it only if the helper is needed.
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

/* Each CPU has S9_LEVELS elements; an element belongs to the program that has
 * claimed it.  This is not a per-CPU map, because one program may preempt
 * another on the same CPU. */
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
S9_TABLE(table_4, S9_SIZE_4);
S9_TABLE(table_5, S9_ABREAST);

/* More events of the stacks that have a slot here, because they came twice in a
 * row.  With the slot they are counted without a search, and many CPUs that
 * have the same stack share no word. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct s9_repeats);
} repeats SEC(".maps");

/* The processes that were reported to the reader. */
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

/* Key: the number of a system call.  Value: 1 and the index of its probe; 0:
 * the call is not wanted. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, S9_SYSCALLS);
	__type(key, __u32);
	__type(value, __u32);
} syscalls SEC(".maps");

/* Zeroes, as many as a struct s9_blocked with its frames has bytes. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, 4096);
} nothing SEC(".maps");

/* Key: the tid in the init pid namespace. */
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
 * Counts an event that claims no scratch.  0; or the watch is over, and the
 * event is none.  Order matters: count first, then test whether the watch is
 * over.  A reader that ends the watch and then finds as many events done as
 * were counted knows that no further event will come.
 */
static __always_inline int
s9_begin(struct s9_totals *t)
{
#ifdef S9_INDIRECT
	__sync_fetch_and_add(&t->events, 1);
#else
	/* The addition is a barrier on every CPU if its result is used. */
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
