/*
 * Copies the user side of a stack, which the reader unwinds.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_COPY_H
#define STACK9_EVENT_COPY_H

#define	S9_READ_USER(p, to, size, from)					\
	bpf_probe_read_user((to), (size), (from))
#include "bpf/user_sample.h"
#include "event_count.h"

/* A probe in a program may find the registers in its context only. */
static __always_inline void
s9_context_registers(const void *regs, struct s9_user *u)
{
	__u32 size = bpf_core_type_size(struct pt_regs);

	if (size > sizeof(u->regs))
		size = sizeof(u->regs);
	bpf_probe_read_kernel(u->regs, size, regs);
}

/* Puts the kernel's frames behind the copy.  Returns the size of the whole
 * record. */
static __always_inline __u32
s9_append_frames(struct s9_event_copy *c, const struct s9_event *e)
{
	__u32 bytes = c->user.bytes, frames = e->stacks.kernel;

	asm volatile("" : "+r"(bytes), "+r"(frames));
	if (bytes > S9_COPY_ROOM || frames > cfg.frames)
		return sizeof(*c);
	if (frames > 0)
		bpf_probe_read_kernel(c->bytes + bytes, frames * 8, e->pcs);
	return sizeof(*c) + bytes + frames * 8;
}

/* This is a function of its own because it needs the registers: the verifier of
 * 6.1 takes a value that is spilled and then compared for unbounded. */
static __noinline int
s9_copy_side(struct task_struct *p, struct s9_event_copy *c)
{
	s9_user_side(p, &c->user, c->bytes, S9_COPY_ROOM, 0, 0);
	return 0;
}

/* 0; or the ring was full. */
static __always_inline int
s9_put_copy(struct task_struct *p, struct s9_event *e, __u32 number,
    const void *regs)
{
	struct s9_event_copy *c = bpf_map_lookup_elem(&copies, &number);
	__u32 size;

	if (c == NULL)
		return 1;
	c->head = e->head;
	c->stacks = e->stacks;
	s9_space_of(p, &c->stacks.space);
	s9_copy_side(p, c);
	if (regs != NULL)
		s9_context_registers(regs, &c->user);
	size = s9_append_frames(c, e);
	if (size > sizeof(*c) + S9_COPY_ROOM + S9_MOST_FRAMES * 8)
		return 1;
	return s9_put(&c->head, size);
}

#endif /* STACK9_EVENT_COPY_H */
