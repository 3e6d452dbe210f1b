/*
 * Captures asynchronously by task work (Linux 6.18).  The kernel side is
 * sampled when a capture is submitted.  The thread itself copies its user side
 * when it next returns to user space, and then its id goes into a ring.
 *
 * The process submits any thread, or an event submits the thread to which it
 * happens.  With S9_WALKS, an event walks the user side at once if all of its
 * rules are known, and nothing is sent.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifdef S9_PLAIN_WALKS
#define	S9_PLAIN_NAMES
#define	S9_WALKS
#endif
#include "task_work.h"
#include "bpf/pid_ns.h"
#ifdef S9_WALKS
#include "async_walk.h"
#endif

extern struct task_struct *bpf_task_from_vpid(__s32 pid) __ksym;
extern void bpf_task_release(struct task_struct *p) __ksym;

/* Allocates a slot, HELD.  Returns its id, or 0. */
static __always_inline __u64
s9_begin(struct s9_control *c, __u32 sides)
{
	__u32 number = s9_alloc_slot();
	struct s9_async_slot *s = s9_slot_at(number);
	__u64 gen;

	if (number == 0 || s == NULL)
		return 0;
	gen = s->h.word / S9_PHASES;
	if (gen < c->first_gen)
		gen = c->first_gen;
	gen++;
	s->h.word = S9_WORD(gen, S9_HELD);
	s->h.sides = sides;
	s->h.error = 0;
	s->h.pieces = 0;
	s->h.began_ns = 0;
	s->h.walk = S9_WALK_OFF;
	s->h.walked = 0;
	return S9_ID(gen, number);
}

/* Frees the slot of an id that nobody knows. */
static __always_inline void
s9_abandon(struct s9_async_slot *s, __u64 id)
{
	s->h.word = S9_WORD(id >> S9_SLOT_BITS, S9_FREE);
	s9_free_slot(id & S9_SLOT_MASK);
}

/* Changes a slot from HELD to WAITING or DONE.  If that fails, returns an
 * errno, and the slot is freed. */
static __always_inline int
s9_send(struct task_struct *p, struct s9_async_slot *s, __u64 id, __u32 now)
{
	__u64 gen = id >> S9_SLOT_BITS;
	int error;

	s->h.error = s9_never_user(p);
	if (!(s->h.sides & 2) || s->h.error != 0) {
		s->h.word = S9_WORD(gen, S9_DONE);
		s9_publish(id);
		return 0;
	}
	s->h.word = S9_WORD(gen, S9_WAITING);
	error = s9_schedule(p, id, now);
	if (error != 0) {
		if (s9_change_phase(s, gen, S9_WAITING, S9_HELD))
			s9_abandon(s, id);
		return -error;
	}
	/* An exiting thread may have run its last works before this one came.
	 * Its callback, if it runs after all, would set the same errno. */
	if ((p->flags & S9_PF_EXITING) &&
	    s9_change_phase(s, gen, S9_WAITING, S9_WRITING)) {
		s->h.error = S9_ESRCH;
		s9_finish(s, id);
	}
	return 0;
}

static __always_inline void
s9_submit_for(struct task_struct *p, struct s9_control *c,
    struct s9_submit *ctx)
{
	struct s9_async_slot *s;
	__u64 id;

	id = s9_begin(c, ctx->sides);
	s = s9_slot_at(id & S9_SLOT_MASK);
	if (id == 0 || s == NULL) {
		ctx->error = S9_ENOBUFS;
		return;
	}
	s->h.task = (__u64)p;
	s->h.cookie = s->h.by_event = 0;
	s9_sample_task(p, &s->h.k);
	s9_ids(p, &s->h.k.tid, &s->h.k.pid, c->level, c->ns);
	s->h.k.bytes = 0;
	if (ctx->sides & 1)
		s9_sample_kernel_stack(p, &s->h.k);
	ctx->error = s9_send(p, s, id, ctx->now);
	if (ctx->error != 0)
		return;
	/* If the thread slept until the work was sent, it has not been in user
	 * space since, and both sides are of one system call. */
	if ((ctx->sides & 1) && !ctx->now)
		s9_sample_after(p, &s->h.k);
	ctx->id = id;
}

SEC("syscall")
int
submit(struct s9_submit *ctx)
{
	struct s9_control *c = s9_control();
	struct task_struct *p;

	ctx->error = S9_ESRCH;
	ctx->id = 0;
	if (c == NULL)
		return 0;
	if (ctx->tid == 0) {
		s9_my_ns(&c->level, &c->ns);
		ctx->error = 0;
		return 0;
	}
	p = bpf_task_from_vpid(ctx->tid);
	if (p == NULL)
		return 0;
	s9_submit_for(p, c, ctx);
	bpf_task_release(p);
	return 0;
}

static __always_inline void
s9_drop(struct s9_control *c)
{
	struct s9_ready none = {};

	__sync_fetch_and_add(&c->dropped, 1);
	if (__sync_val_compare_and_swap(&c->drop_published, 0, 1) == 0 &&
	    bpf_ringbuf_output(&ready, &none, sizeof(none), 0) != 0)
		c->drop_published = 0;
}

/* True if the event is about a thread that is watched. */
static __always_inline int
s9_is_watched(struct task_struct *p, const struct s9_watch *w, __u64 cookie,
    __s32 tid, __s32 pid)
{
	if (p->pid == 0 || w->sides == 0 || tid == 0 ||
	    w->turn != cookie / S9_WATCHES)
		return 0;
	if (w->sides == 2 && (p->flags & S9_PF_KTHREAD))
		return 0;
	return (w->pid == 0 || w->pid == pid) &&
	    (w->tid == 0 || w->tid == tid);
}

static __always_inline int
s9_event(void *ctx)
{
	struct s9_control *c = s9_control();
	struct task_struct *p = bpf_get_current_task_btf();
	__u64 cookie = bpf_get_attach_cookie(ctx), id;
	struct s9_async_slot *s;
	struct s9_watch w;
	__s32 tid, pid;

	if (c == NULL)
		return 0;
	w = c->watches[cookie % S9_WATCHES];
	s9_ids(p, &tid, &pid, c->level, c->ns);
	if (!s9_is_watched(p, &w, cookie, tid, pid))
		return 0;
	id = s9_begin(c, w.sides);
	s = s9_slot_at(id & S9_SLOT_MASK);
	if (id == 0 || s == NULL) {
		s9_drop(c);
		return 0;
	}
	s->h.task = bpf_get_current_task();
	s->h.cookie = w.cookie;
	s->h.by_event = 1;
	if (w.sides & 1)
		s9_sample_current_stack(ctx, &s->h.k);
	else
		s9_sample_current(&s->h.k);
	s->h.k.tid = tid;
	s->h.k.pid = pid;
#ifdef S9_WALKS
	if (s9_has_walked(p, s, id)) {
		__sync_fetch_and_add(&c->walked, 1);
		s->h.word = S9_WORD(id >> S9_SLOT_BITS, S9_DONE);
		s9_publish(id);
		return 0;
	}
#endif
	if (s9_send(p, s, id, 0) != 0)
		s9_drop(c);
	return 0;
}

/* SEC names any tracepoint; the process attaches to the one that is wanted. */
SEC("raw_tp/sys_enter")
int
at_tracepoint(void *ctx)
{
	return s9_event(ctx);
}

SEC("perf_event")
int
at_sample(void *ctx)
{
	return s9_event(ctx);
}

S9_LICENSE;
