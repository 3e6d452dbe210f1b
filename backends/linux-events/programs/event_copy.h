/*
 * Copies the user side of a stack for the reader to unwind.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_COPY_H
#define STACK9_EVENT_COPY_H

#define	S9_READ_USER(p, to, size, from)					\
	bpf_probe_read_user((to), (size), (from))
#include "bpf/user_sample.h"
#include "event_count.h"
#include "event_returns.h"

/* A probe in a program may find the registers in its context only. */
static __always_inline void
s9_context_registers(const void *regs, struct s9_user *u)
{
	__u32 size = bpf_core_type_size(struct pt_regs);

	if (size > sizeof(u->regs))
		size = sizeof(u->regs);
	bpf_probe_read_kernel(u->regs, size, regs);
}

/* Puts the frames after the copy: the kernel's, the user's if they are to be
 * compared, and those of runtimes.  Returns the size of the whole record. */
static __always_inline __u32
s9_append_frames(struct s9_event_copy *c, const struct s9_event *e)
{
	__u32 bytes = c->user.bytes;
	__u32 frames = s9_all_frames(e);

	asm volatile("" : "+r"(bytes), "+r"(frames));
	if (bytes > S9_COPY_ROOM || frames > cfg.words)
		return sizeof(*c);
	if (frames > 0)
		bpf_probe_read_kernel(c->bytes + bytes, frames * 8, e->pcs);
	return sizeof(*c) + bytes + frames * 8;
}

/* Returns whether there is a hole in the stack: a page that is not in memory.
 * This is a function of its own because it needs the registers: the verifier of
 * 6.1 takes a value that is spilled and then compared for unbounded. */
static __noinline int
s9_copy_side(struct task_struct *p, struct s9_event_copy *c)
{
	__u32 span = s9_user_span(p, &c->user, S9_COPY_ROOM, 0, 0);

	if (span == 0)
		return 0;
	s9_copy_stack(p, c->bytes, c->user.from, span, S9_COPY_ROOM,
	    &c->user.bytes);
	s9_user_copied(&c->user, span);
	return c->user.bytes < span;
}

/* A stack may begin where nothing has been written below it yet: then it is
 * copied from sp on. */
S9_APART int
s9_copy_from_sp(struct task_struct *p, struct s9_event_copy *c)
{
	__u32 span = s9_user_span(p, &c->user, S9_COPY_ROOM,
	    c->user.from + S9_RED_ZONE, 0);

	asm volatile("" : "+r"(span));
	if (span > S9_COPY_ROOM)
		span = S9_COPY_ROOM;
	if (span != 0 && bpf_probe_read_user(c->bytes, span,
	    (const void *)c->user.from) == 0)
		c->user.bytes = span;
	return 0;
}

/* The end of a stack whose end is known, if it is near enough for all of it to
 * be copied; 0 if not.  The end of a coroutine's stack is not known. */
S9_APART __u64
s9_near_end(struct task_struct *p, struct s9_event_copy *c)
{
	struct mm_struct *mm = BPF_CORE_READ(p, mm);
	__u64 from = c->user.from;
	__u64 end = s9_nearer(from, s9_thread_pointer(p),
	    BPF_CORE_READ(mm, start_stack) + S9_OUTERMOST);

	return end - from > S9_COPY_PARTS * S9_COPY_ROOM ? 0 : end;
}

/* True if the ring had better take events than parts of stacks. */
static __always_inline int
s9_is_filling(void)
{
	return bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) >=
	    cfg.ring_filling;
}

/*
 * Copies a part of a stack, from c->user.from on, page by page, and notes the
 * pages that are not in memory.  A program that has an array on its stack need
 * not have touched all of it, and this program must not wait for a page.  1: no
 * page was read.  This function, s9_copy_part() and s9_put_parts() are global:
 * the verifier checks them once, not on each way to them.
 */
__noinline int
s9_copy_pages(__u32 number, __u64 end)
{
	struct s9_event_copy *c = bpf_map_lookup_elem(&copies, &number);
	volatile __u32 *missing;
	__u32 at, i;
	__u64 left;

	if (c == NULL)
		return 1;
	/* In memory of a map, of which the verifier knows nothing.  In a
	 * register it would follow each set of pages that can be missing. */
	missing = &c->head.missing;
	*missing = 0;
	left = end - c->user.from;
	at = S9_PAGE - ((__u32)c->user.from & (S9_PAGE - 1));
	if (bpf_probe_read_user(c->bytes, at, (const void *)c->user.from) != 0)
		*missing = 1;
	for (i = 1; i <= S9_COPY_ROOM / S9_PAGE; i++) {
		asm volatile("" : "+r"(at));
		if (at > S9_COPY_ROOM - S9_PAGE || at >= left)
			break;
		if (bpf_probe_read_user(c->bytes + at, S9_PAGE,
		    (const void *)(c->user.from + at)) != 0)
			*missing |= 1U << i;
		at += S9_PAGE;
	}
	c->user.bytes = at < left ? at : (__u32)left;
	return *missing + 1 == 1U << i;
}

/* Puts the part that is in the buffer.  0; or 1, and it was not put. */
static __always_inline int
s9_put_part(struct s9_event_copy *c)
{
	__u32 bytes = c->user.bytes;

	asm volatile("" : "+r"(bytes));
	if (bytes > S9_COPY_ROOM)
		return 1;
	return bpf_ringbuf_output(&ring, c, sizeof(*c) + bytes,
	    BPF_RB_NO_WAKEUP) != 0;
}

enum s9_part { S9_COPY, S9_COPY_AND_PUT, S9_MEND };

/* Copies a part of a stack and puts return addresses back; S9_MEND: only that.
 * It puts the part, if anything of it was read and it is to be put.  1: the
 * ring has no room for it.  A function for each would be too many for a loader
 * program. */
__noinline int
s9_copy_part(__u32 number, __u64 end, __u32 what)
{
	struct s9_event_copy *c = bpf_map_lookup_elem(&copies, &number);
	__u32 bytes = S9_COPY_ROOM;
	__u64 left;

	if (c == NULL)
		return 0;
	if (what == S9_MEND) {
		s9_put_back(c);
		return 0;
	}
	left = end - c->user.from;
	if (left < S9_COPY_ROOM)
		bytes = (__u32)left;
	asm volatile("" : "+r"(bytes));
	if (bytes > S9_COPY_ROOM)
		return 0;
	c->user.bytes = bytes;
	c->head.missing = 0;
	if (bpf_probe_read_user(c->bytes, bytes,
	    (const void *)c->user.from) != 0 && s9_copy_pages(number, end) != 0)
		return 0;
	s9_put_back(c);
	return what == S9_COPY_AND_PUT && s9_put_part(c) != 0;
}

/*
 * Puts the parts of a stack after the first one, and the first one into the
 * buffer again.  The thread is in the event, so its stack does not change.  If
 * the ring has no room for a part, the rest is missing.
 */
__noinline int
s9_put_parts(__u32 number, __u64 end)
{
	struct s9_event_copy *c = bpf_map_lookup_elem(&copies, &number);
	__u64 from, at;
	__u32 what;
	int i;

	if (c == NULL)
		return 1;
	from = c->user.from;
	what = c->head.what;
	s9_copy_part(number, end, S9_COPY);
	at = from + c->user.bytes;
	c->head.what = S9_STACK_PART;
	for (i = 1; i <= S9_COPY_PARTS && at < end; i++) {
		c->user.from = at;
		if (s9_copy_part(number, end, S9_COPY_AND_PUT) != 0)
			break;
		at += c->user.bytes;
	}
	c->head.what = what;
	c->user.from = from;
	s9_copy_part(number, end, S9_COPY);
	if (at >= end)
		c->user.flags &= ~S9_USER_MORE;
	else
		c->user.flags |= S9_USER_MORE;
	return 0;
}

/* 0; or the ring was full. */
static __always_inline int
s9_put_copy(struct task_struct *p, struct s9_event *e, __u32 number,
    const void *regs)
{
	struct s9_event_copy *c = bpf_map_lookup_elem(&copies, &number);
	__u32 size;
	int goes_on;
	__u64 end;

	if (c == NULL)
		return 1;
	c->head = e->head;
	c->stacks = e->stacks;
	c->head.scratch = number;
	c->head.missing = 0;
	goes_on = s9_copy_side(p, c);
	if (c->user.bytes == 0 && c->user.from != 0) {
		s9_copy_from_sp(p, c);
		goes_on = c->user.bytes == 0;
	}
	if (regs != NULL)
		s9_context_registers(regs, &c->user);
	if ((c->user.flags & S9_USER_MORE) && c->user.bytes == S9_COPY_ROOM)
		goes_on = 1;
	if (goes_on) {
		end = s9_near_end(p, c);
		if (end != 0 && !s9_is_filling())
			s9_put_parts(number, end);
	}
	if (s9_has_returns(p))
		s9_copy_part(number, 0, S9_MEND);
	size = s9_append_frames(c, e);
	if (size > sizeof(*c) + S9_COPY_ROOM + S9_MOST_WORDS * 8)
		return 1;
	return s9_put(&c->head, size);
}

#endif /* STACK9_EVENT_COPY_H */
