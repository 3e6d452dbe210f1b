/*
 * Sends records to the reader, and wakes it if it sleeps.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_RING_H
#define STACK9_EVENT_RING_H

#include "event_filter.h"

/*
 * A wake-up costs an interrupt.  So the reader is woken only if it has said
 * that it sleeps, or that it rests and the ring is filling.
 */
static __always_inline __u64
s9_wake(struct s9_control_word *c)
{
	if (c->sleeping == 0 || (c->sleeping == S9_RESTS &&
	    bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) < cfg.ring_filling))
		return BPF_RB_NO_WAKEUP;
	c->sleeping = 0;
	return BPF_RB_FORCE_WAKEUP;
}

/* 0; or the record is dropped, and the next record says so to the reader. */
static __always_inline int
s9_put(struct s9_event_head *head, __u32 size)
{
	struct s9_control_word *c = s9_word();

	if (c == NULL)
		return 1;
	head->dropped = c->dropped;
	if (bpf_ringbuf_output(&ring, head, size, s9_wake(c)) == 0)
		return 0;
	if (head->what < S9_PROCESS)
		__sync_fetch_and_add(&c->dropped, 1);
	return 1;
}

static __always_inline void
s9_fill_head(struct task_struct *p, struct s9_event_head *h, __u32 what,
    __u32 probe)
{
	struct s9_pair ids = s9_seen_ids(p);

	h->what = what;
	h->cpu = bpf_get_smp_processor_id();
	h->when_ns = bpf_ktime_get_boot_ns();
	h->start_ns = S9_GET(p, start_boottime);
	h->weight_ns = h->serial = 0;
	h->probe = probe;
	h->kthread = (S9_GET(p, flags) & S9_PF_KTHREAD) != 0;
	h->host_tid = S9_GET(p, pid);
	h->tid = ids.tid;
	h->pid = ids.pid;
	bpf_core_read(h->comm, sizeof(h->comm), &p->comm);
}

/* Read again each time, so that the verifier does not follow what a loop over
 * the frames shows of their number. */
static __always_inline __u32
s9_all_frames(const struct s9_event *e)
{
	const volatile struct s9_stacks *s = &e->stacks;

	return s->kernel + s->user + s->reported;
}

/* The size of the record in bytes. */
static __always_inline __u32
s9_event_size(const struct s9_event *e)
{
	__u32 frames = s9_all_frames(e);

	asm volatile("" : "+r"(frames));
	if (frames > cfg.words)
		frames = 0;
	return sizeof(struct s9_event) + frames * 8;
}

/* Has the reader name the frames of runtimes that a new stack has, as long as
 * their process is there. */
static __always_inline void
s9_introduce_reported(struct task_struct *p, struct s9_event *e)
{
	if (e->stacks.reported == 0)
		return;
	if (p != NULL)
		s9_fill_head(p, &e->head, S9_REPORTED, 0);
	e->head.what = S9_REPORTED;
	s9_put(&e->head, s9_event_size(e));
}

/* Reports the stack's process to the reader, if it is new.  Only a new stack
 * can be that of a new process.  p: NULL if the head has been filled before. */
static __always_inline void
s9_introduce(struct task_struct *p, struct s9_event *e)
{
	__u32 known = 1;

	if (cfg.reported)
		s9_introduce_reported(p, e);
	if (e->stacks.space.pid == 0 || bpf_map_update_elem(&processes,
	    &e->stacks.space, &known, BPF_NOEXIST) != 0)
		return;
	if (p != NULL)
		s9_fill_head(p, &e->head, S9_PROCESS, 0);
	e->head.what = S9_PROCESS;
	if (s9_put(&e->head, sizeof(*e)) != 0)
		bpf_map_delete_elem(&processes, &e->stacks.space);
}

#endif /* STACK9_EVENT_RING_H */
