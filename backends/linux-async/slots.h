/*
 * Defines the maps, and allocates and frees slots and pieces in programs.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_ASYNC_SLOTS_H
#define STACK9_ASYNC_SLOTS_H

#include "free_list.h"
#include "bpf/kernel.h"

/* By its name the kernel finds this type in a map's value, so it cannot have a
 * flavor.  The kernel's headers have it since Linux 6.18. */
#ifndef STACK9_HAVE_BPF_TASK_WORK
struct bpf_task_work {
	__u64	__opaque;
} __attribute__((aligned(8)));
#endif

/* The works have a map of their own: an array cannot cancel one element's work,
 * and a map that holds works cannot be mapped into a process. */
struct s9_work {
	struct bpf_task_work	tw;
	__u64			id;
};

/* These sizes only satisfy the verifier: the process sets its own. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, struct s9_async_slot);
} slots SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, struct s9_piece);
} pieces SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, struct s9_work);
} works SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} ready SEC(".maps");

static __always_inline struct s9_async_slot *
s9_slot_at(__u32 number)
{
	return bpf_map_lookup_elem(&slots, &number);
}

static __always_inline struct s9_control *
s9_control(void)
{
	struct s9_async_slot *s = s9_slot_at(0);

	return s == NULL ? NULL : &s->control;
}

static __always_inline struct s9_piece *
s9_piece_at(__u32 number)
{
	return bpf_map_lookup_elem(&pieces, &number);
}

/*
 * These four are not static: the verifier then checks each once, not once a
 * call.  That halves the time that loading takes.
 */

/* Allocates a slot; 0: none is free. */
__noinline __u32
s9_alloc_slot(void)
{
	struct s9_control *c = s9_control();
	struct s9_async_slot *s;
	__u64 head;
	int i;

	if (c == NULL)
		return 0;
	for (i = 0; i < S9_POP_TRIES; i++) {
		head = *(volatile __u64 *)&c->slots.head;
		if ((__u32)head == 0)
			return s9_fresh(&c->slots);
		s = s9_slot_at((__u32)head);
		if (s == NULL)
			return 0;
		if (s9_popped(&c->slots, head, s->h.next))
			return (__u32)head;
	}
	return 0;
}

struct s9_freeing {
	struct s9_free_list	*to;
	__u64		*next;
	__u32		 number;
};

static long
s9_try_free(__u64 i, struct s9_freeing *g)
{
	return s9_pushed(g->to, g->number, g->next);
}

__noinline int
s9_free_slot(__u32 number)
{
	struct s9_control *c = s9_control();
	struct s9_async_slot *s = s9_slot_at(number);

	if (c != NULL && s != NULL) {
		struct s9_freeing g = {&c->slots, &s->h.next, number};

		bpf_loop(S9_PUSH_TRIES, s9_try_free, &g, 0);
	}
	return 0;
}

__noinline __u32
s9_alloc_piece(void)
{
	struct s9_control *c = s9_control();
	struct s9_piece *p;
	__u64 head;
	int i;

	if (c == NULL)
		return 0;
	for (i = 0; i < S9_POP_TRIES; i++) {
		head = *(volatile __u64 *)&c->pieces.head;
		if ((__u32)head == 0)
			return s9_fresh(&c->pieces);
		p = s9_piece_at((__u32)head);
		if (p == NULL)
			return 0;
		if (s9_popped(&c->pieces, head, p->next))
			return (__u32)head;
	}
	return 0;
}

__noinline int
s9_free_piece(__u32 number)
{
	struct s9_control *c = s9_control();
	struct s9_piece *p = s9_piece_at(number);

	if (c != NULL && p != NULL) {
		struct s9_freeing g = {&c->pieces, &p->next, number};

		bpf_loop(S9_PUSH_TRIES, s9_try_free, &g, 0);
	}
	return 0;
}

static __always_inline int
s9_change_phase(struct s9_async_slot *s, __u64 gen, __u32 from, __u32 to)
{
	return __sync_val_compare_and_swap(&s->h.word, S9_WORD(gen, from),
	    S9_WORD(gen, to)) == S9_WORD(gen, from);
}

/* Publishes an id in the ring.  The ring is never full, but its lock may be
 * taken, for example by a thread that this program interrupted. */
static __always_inline void
s9_publish(__u64 id)
{
	struct s9_control *c = s9_control();
	struct s9_ready r = {id};

	if (bpf_ringbuf_output(&ready, &r, sizeof(r), 0) != 0 && c != NULL)
		c->unpublished = 1;
}

#endif /* STACK9_ASYNC_SLOTS_H */
