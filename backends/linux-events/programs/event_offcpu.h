/*
 * Records time off the CPU: the stack where a thread blocks, weighted by how
 * long it is blocked.
 *
 * The stack is kept in the thread's own element until the thread goes on,
 * because at that moment another thread's stack is current.  A thread that
 * loses its CPU while it could run is not blocked.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_OFFCPU_H
#define STACK9_EVENT_OFFCPU_H

#define	S9_TASK_DEAD	0x80	/* include/linux/sched.h */

/* Makes the thread's element when the thread is seen for the first time. */
static __always_inline struct s9_blocked *
s9_blocked_of(__s32 tid)
{
	__u32 zero = 0;
	void *none;

	none = bpf_map_lookup_elem(&nothing, &zero);
	if (none == NULL)
		return NULL;
	bpf_map_update_elem(&blocked, &tid, none, BPF_NOEXIST);
	return bpf_map_lookup_elem(&blocked, &tid);
}

static __always_inline void
s9_blocks(void *ctx, struct task_struct *p, struct s9_blocked *b)
{
	struct s9_control_word *c = s9_word();
	__u32 number;
	struct s9_scratch *s;

	s9_fill_head(p, &b->e.head, S9_EVENT, 0);
	s9_walk(ctx, p, &b->e);
	if (cfg.copy && c != NULL) {
		s = s9_claim(&number);
		if (s == NULL)
			return;
		if (s9_take_user_side(p, s, &b->e, number, NULL) !=
		    S9_SIDE_COPIED) {
			s9_leave(s);
			b->since_ns = bpf_ktime_get_boot_ns();
			return;
		}
		b->e.head.what = S9_BLOCKED_COPY;
		b->e.head.walk = s->walk.how;
		b->e.head.serial = bpf_ktime_get_ns();
		/* Serial 0 means in s9_resumed() that the copy is lost. */
		if (s9_put_copy(p, &b->e, number, NULL) != 0)
			b->e.head.serial = 0;
		b->e.head.what = S9_RESUMED;
		s9_leave(s);
	}
	b->since_ns = bpf_ktime_get_boot_ns();
}

static __always_inline void
s9_resumed(struct s9_blocked *b, __u64 took, __u64 now)
{
	__u32 size;

	if (!cfg.stream && (!cfg.copy || (cfg.walk &&
	    b->e.head.what == S9_EVENT))) {
		s9_count_event(NULL, &b->e, 0, took);
		return;
	}
	b->e.head.weight_ns = took;
	b->e.head.when_ns = now;
	size = s9_event_size(&b->e);
	if (b->e.head.what == S9_RESUMED) {
		if (b->e.head.serial == 0) {
			S9_COUNT_UP(no_room);
			return;
		}
		size = sizeof(struct s9_event_head);
	}
	if (s9_put(&b->e.head, size) != 0)
		S9_COUNT_UP(no_room);
}

static __always_inline void
s9_resumes(struct s9_blocked *b, __u64 now)
{
	__u64 took = now - b->since_ns;
	struct s9_totals *t = s9_totals();

	b->since_ns = 0;
	if (t == NULL || took < cfg.min_ns ||
	    (cfg.max_ns != 0 && took > cfg.max_ns) || !s9_within_limit() ||
	    s9_begin(t))
		return;
	s9_resumed(b, took, now);
	__sync_fetch_and_add(&t->done, 1);
}

/*
 * Now and then the kernel does not show the switch that gives a thread its CPU
 * (6.18; one switch of 300, and ftrace does not see it either).  Then the
 * thread has run since, for as long as the scheduler says.
 */
static __always_inline void
s9_resumed_unseen(struct task_struct *p, struct s9_blocked *b)
{
	struct task_struct___event *t = (void *)p;
	__u64 ran = S9_OF(t, se.sum_exec_runtime) -
	    S9_OF(t, se.prev_sum_exec_runtime);
	__u64 now = bpf_ktime_get_boot_ns();

	if (ran > now - b->since_ns)
		ran = 0;
	s9_resumes(b, now - ran);
}

/* Counts a thread for which the map of blocked threads is full. */
static __always_inline void
s9_forgets(void)
{
	struct s9_totals *t = s9_totals();

	if (t == NULL || s9_begin(t))
		return;
	__sync_fetch_and_add(&t->no_room, 1);
	__sync_fetch_and_add(&t->done, 1);
}

SEC("raw_tp/sched_switch")
int
at_switch(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *prev = S9_CURRENT(), *next = (void *)ctx->args[2];
	__s32 tid = BPF_CORE_READ(next, pid);
	struct s9_blocked *b;
	__u32 state;

	b = tid != 0 ? bpf_map_lookup_elem(&blocked, &tid) : NULL;
	if (b != NULL && b->since_ns != 0)
		s9_resumes(b, bpf_ktime_get_boot_ns());

	tid = S9_GET(prev, pid);
	b = tid != 0 ? bpf_map_lookup_elem(&blocked, &tid) : NULL;
	if (b != NULL && b->since_ns != 0)
		s9_resumed_unseen(prev, b);
	state = s9_state(prev);
	if (state & S9_TASK_DEAD)
		bpf_map_delete_elem(&blocked, &tid);
	/* ctx->args[0]: the thread was preempted. */
	if (tid == 0 || state == 0 || ctx->args[0] ||
	    (state & S9_TASK_DEAD) || !s9_passes(prev))
		return 0;
	if (b == NULL)
		b = s9_blocked_of(tid);
	if (b != NULL)
		s9_blocks(ctx, prev, b);
	else
		s9_forgets();
	return 0;
}

#endif /* STACK9_EVENT_OFFCPU_H */
