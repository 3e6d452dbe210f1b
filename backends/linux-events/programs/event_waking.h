/*
 * Records who wakes a blocked thread: the stacks of the current thread, or of
 * what has interrupted it, while it wakes the blocked one.  The reader joins
 * them with the stacks at which that thread blocked.
 *
 * The kernel holds a lock of the woken thread meanwhile.  So no other thread
 * wakes it, and it does not go on before its waker's record is in the ring.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_WAKING_H
#define STACK9_EVENT_WAKING_H

static __always_inline void
s9_record_waker(void *ctx, struct s9_scratch *s, __u32 number, __s32 woken,
    __u64 since_ns)
{
	struct task_struct *p = S9_CURRENT();
	enum s9_side user;

	s9_walk(ctx, p, &s->e);
	user = s9_take_user_side(p, s, &s->e, number, NULL);
	s9_fill_head(p, &s->e.head, S9_WAKER, 0);
	s->e.head.serial = since_ns;
	s->e.head.woken = woken;
	if (user == S9_SIDE_COPIED) {
		s->e.head.what = S9_WAKER_COPY;
		s->e.head.walk = s->walk.how;
		s9_put_copy(p, &s->e, number, NULL);
	} else {
		s9_put(&s->e.head, s9_event_size(&s->e));
	}
}

SEC("raw_tp/sched_waking")
int
at_waking(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *woken = (void *)ctx->args[0];
	__s32 tid = BPF_CORE_READ(woken, pid);
	struct s9_blocked *b;
	struct s9_scratch *s;
	__u64 since_ns;
	__u32 number;

	b = bpf_map_lookup_elem(&blocked, &tid);
	if (b == NULL)
		return 0;
	since_ns = b->since_ns;
	if (since_ns == 0)
		return 0;
	s = s9_claim(&number);
	if (s == NULL)
		return 0;
	if (!s9_is_over())
		s9_record_waker(ctx, s, number, tid, since_ns);
	s9_leave(s);
	return 0;
}

#endif /* STACK9_EVENT_WAKING_H */
