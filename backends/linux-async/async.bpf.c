/*
 * Captures asynchronously by task work (Linux 6.18).  The kernel side is
 * sampled when a capture is submitted.  The thread itself copies its user side
 * when it next returns to user space, and then its id goes into a ring.
 *
 * The process submits any thread, or an event submits the thread to which it
 * happens.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#include "async_copy.h"
#include "bpf/pid_ns.h"

extern struct task_struct *bpf_task_from_vpid(__s32 pid) __ksym;
extern void bpf_task_release(struct task_struct *p) __ksym;

/* Linux 6.18 has these names.  Later kernels have them without _impl, and the
 * verifier fills in the last argument. */
struct bpf_map {	/* complete, as the prototypes in BTF need it */
	__u32	id;
};
typedef int s9_callback(struct bpf_map *map, void *key, void *value);
#ifdef S9_PLAIN_NAMES
extern int bpf_task_work_schedule_resume(struct task_struct *task,
    struct bpf_task_work *tw, void *map__map, s9_callback *callback) __ksym;
extern int bpf_task_work_schedule_signal(struct task_struct *task,
    struct bpf_task_work *tw, void *map__map, s9_callback *callback) __ksym;
#define	s9_resume(p, w, cb)						\
	bpf_task_work_schedule_resume((p), &(w)->tw, &works, (cb))
#define	s9_signal(p, w, cb)						\
	bpf_task_work_schedule_signal((p), &(w)->tw, &works, (cb))
#else
extern int bpf_task_work_schedule_resume_impl(struct task_struct *task,
    struct bpf_task_work *tw, void *map__map, s9_callback *callback,
    void *aux__prog) __ksym;
extern int bpf_task_work_schedule_signal_impl(struct task_struct *task,
    struct bpf_task_work *tw, void *map__map, s9_callback *callback,
    void *aux__prog) __ksym;
#define	s9_resume(p, w, cb)						\
	bpf_task_work_schedule_resume_impl((p), &(w)->tw, &works, (cb), NULL)
#define	s9_signal(p, w, cb)						\
	bpf_task_work_schedule_signal_impl((p), &(w)->tw, &works, (cb), NULL)
#endif

#define	S9_EBUSY	16
#define	S9_ENOMEM	12
#define	S9_ENOBUFS	105

static long
s9_free_ith_piece(__u64 i, struct s9_async_slot **s)
{
	if (i >= S9_PIECES || i >= (*s)->h.pieces)
		return 1;
	s9_free_piece((*s)->h.piece[i]);
	return 0;
}

/* Called when the thread is done with the slot: publishes the id, or frees the
 * slot if the holder of the id has cancelled or released it. */
static __always_inline void
s9_finish(struct s9_async_slot *s, __u64 id)
{
	__u64 gen = id >> S9_SLOT_BITS;

	if (s9_change_phase(s, gen, S9_WRITING, S9_DONE)) {
		s9_publish(id);
		return;
	}
	bpf_loop(S9_PIECES, s9_free_ith_piece, &s, 0);
	s->h.pieces = 0;
	if (s9_change_phase(s, gen, S9_FORSAKEN, S9_CANCELLED))
		return;
	s->h.word = S9_WORD(gen, S9_FREE);
	s9_free_slot(id & S9_SLOT_MASK);
}

static __always_inline void
s9_count(struct s9_async_slot *s)
{
	struct s9_control *c = s9_control();

	if (c == NULL)
		return;
	__sync_fetch_and_add(&c->captured, 1);
	__sync_fetch_and_add(&c->inside_ns,
	    bpf_ktime_get_boot_ns() - s->h.began_ns);
}

/*
 * The element of works may have been freed and used again, and so have changed
 * under the callback.  The callback therefore goes by the slot, which has to be
 * waiting for this thread.
 */
static int
on_return(struct bpf_map *map, void *key, void *value)
{
	__u64 id = *(volatile __u64 *)&((struct s9_work *)value)->id;
	struct s9_async_slot *s = s9_slot_at(id & S9_SLOT_MASK);

	if ((id & S9_SLOT_MASK) == 0 || s == NULL ||
	    s->h.task != bpf_get_current_task() ||
	    !s9_change_phase(s, id >> S9_SLOT_BITS, S9_WAITING, S9_WRITING))
		return 0;
	s->h.began_ns = bpf_ktime_get_boot_ns();
	s9_copy_current(bpf_get_current_task_btf(), s);
	s9_count(s);
	s9_finish(s, id);
	return 0;
}

static __always_inline struct s9_work *
s9_work_of(__u32 slot)
{
	struct s9_work *w = bpf_map_lookup_elem(&works, &slot);
	struct s9_work fresh = {};

	if (w != NULL)
		return w;
	bpf_map_update_elem(&works, &slot, &fresh, BPF_NOEXIST);
	return bpf_map_lookup_elem(&works, &slot);
}

static __always_inline int
s9_try_schedule(struct task_struct *p, __u64 id, __u32 now)
{
	struct s9_work *w = s9_work_of(id & S9_SLOT_MASK);

	if (w == NULL)
		return -S9_ENOMEM;
	w->id = id;
	return now ? s9_signal(p, w, on_return) : s9_resume(p, w, on_return);
}

/* EBUSY: the callback of the slot's former id is done but has not returned. */
static __always_inline int
s9_schedule(struct task_struct *p, __u64 id, __u32 now)
{
	__u32 slot = id & S9_SLOT_MASK;
	int error = s9_try_schedule(p, id, now);

	if (error != -S9_EBUSY)
		return error;
	bpf_map_delete_elem(&works, &slot);
	return s9_try_schedule(p, id, now);
}

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
	return S9_ID(gen, number);
}

/* Frees the slot of an id that nobody knows. */
static __always_inline void
s9_abandon(struct s9_async_slot *s, __u64 id)
{
	s->h.word = S9_WORD(id >> S9_SLOT_BITS, S9_FREE);
	s9_free_slot(id & S9_SLOT_MASK);
}

/* Changes a slot from HELD to WAITING or DONE.  Else returns an errno, and the
 * slot is freed. */
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

/* Whether the event is about a thread that is watched. */
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
