/*
 * The user sides of all threads, of one process or of one thread, by an
 * iterator that may sleep, which reading another's memory takes
 * (bpf_copy_from_user_task(), Linux 5.18).  Or, in a pass of its own, their
 * kernel stacks.
 *
 * Not both in one, because the memory of a thread may keep its reader waiting
 * for as long as that thread's owner likes, and the kernel's stack helper must
 * not be called twice at once (capture_lock.h): who held the lock for both
 * would keep everybody's kernel stacks waiting.  That both are of the same
 * moment the switch counts tell, for they are those of one sleep.
 *
 * All that is written to is the reading thread's own: this can be pinned.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#define	S9_DIRECT
#define	S9_READ_USER(p, to, size, from)					\
	bpf_copy_from_user_task((to), (size), (from), (p), 0)
#include "bpf/user_sample.h"
#include "bpf/pid_ns.h"

struct room {
	struct s9_user_record	r;
	__u64			ns;	/* the thread's pid namespace, which */
	__u32			level;	/* it never leaves */
	__u32			knows_ns;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct room);
} scratch SEC(".maps");

/* What the reader asks for: in its buffer, the second argument of read(2). */
static __always_inline const void *
asked_at(void)
{
	struct pt_regs *r;

	r = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	if (bpf_core_field_exists(r->si))
		return (void *)r->si;
	return (void *)r->regs[1];
}

/* Whether p is wanted; its ids. */
static __always_inline int
is_wanted(struct task_struct *p, const struct s9_asked *a, struct room *room)
{
	struct s9_record *r = (struct s9_record *)room;

	if (a->magic != S9_ASKED)
		return 0;
	if (!room->knows_ns) {
		s9_my_ns(&room->level, &room->ns);
		room->knows_ns = 1;
	}
	s9_ids(p, &r->tid, &r->pid, room->level, room->ns);
	return r->tid != 0 && (a->tid == 0 || r->tid == a->tid) &&
	    (a->pid == 0 || r->pid == a->pid);
}

SEC("iter.s/task")
int
user(struct bpf_iter__task *ctx)
{
	struct task_struct *p = ctx->task;
	struct seq_file *seq = ctx->meta->seq;
	__u32 size = S9_RECORD_HEAD;
	struct s9_record *look;
	struct s9_asked a;
	struct room *room;

	room = bpf_task_storage_get(&scratch, bpf_get_current_task_btf(), 0,
	    BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (p == NULL || room == NULL ||
	    bpf_copy_from_user(&a, sizeof(a), asked_at()) != 0 ||
	    !is_wanted(p, &a, room))
		return 0;
	look = (struct s9_record *)room;
	s9_look_at(p, look);
	if (a.what == S9_KERNEL_SIDE)
		size = s9_take_kernel(p, look);
	else if (a.what == S9_USER_SIDE)
		size = s9_take_user(p, &room->r, a.from);
	bpf_seq_write(seq, room, size);
	return 0;
}

S9_LICENSE;
