/*
 * Schedules the copy of a thread's user side as task work, and finishes it when
 * the thread has copied.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_TASK_WORK_H
#define STACK9_TASK_WORK_H

#include "async_copy.h"
#ifdef S9_WALKS
#include "bpf/unwind/space_of.h"
#endif

/* Linux 6.18 and 6.19 have the names with _impl.  Linux 7.0 has them without,
 * and without the last argument. */
struct bpf_map___s9 {	/* complete, as the prototypes in BTF need it */
	__u32	id;
};
typedef int s9_callback(struct bpf_map___s9 *map, void *key, void *value);
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
 * under the callback.  The callback therefore goes by the slot: that has to be
 * waiting for this thread.
 */
static int
on_return(struct bpf_map___s9 *map, void *key, void *value)
{
	__u64 id = *(volatile __u64 *)&((struct s9_work *)value)->id;
	struct s9_async_slot *s = s9_slot_at(id & S9_SLOT_MASK);

	if ((id & S9_SLOT_MASK) == 0 || s == NULL ||
	    s->h.task != bpf_get_current_task() ||
	    !s9_change_phase(s, id >> S9_SLOT_BITS, S9_WAITING, S9_WRITING))
		return 0;
	s->h.began_ns = bpf_ktime_get_boot_ns();
#ifdef S9_WALKS
	/* An execve(2) may have been between the event and this. */
	s9_space_of(bpf_get_current_task_btf(), &s->h.space, 0);
#endif
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

#endif /* STACK9_TASK_WORK_H */
