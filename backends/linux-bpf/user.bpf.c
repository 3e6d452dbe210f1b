/*
 * Samples the user sides of all threads, of one process or of one thread, or in
 * a pass of its own their kernel stacks.  The iterator may sleep, as it must to
 * read another process's memory (bpf_copy_from_user_task(), Linux 5.18).
 *
 * One pass does not sample both sides.  The memory of a thread may keep its
 * reader waiting for as long as that thread's owner likes, and the kernel's
 * stack helper must not be called twice at once (capture_lock.h).  A reader
 * that held the lock for both sides would keep everybody's kernel stacks
 * waiting.  The switch counts tell that both sides are of the same sleep.
 *
 * The program writes only to storage of the reading thread, so it can be
 * pinned.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#define	S9_DIRECT
#define	S9_READ_USER(p, to, size, from)					\
	bpf_copy_from_user_task((to), (size), (from), (p), 0)
#include "bpf/user_sample.h"
#include "bpf/pid_ns.h"

struct scratch_buffer {
	struct s9_user_record	r;
	__u64			ns;	/* the thread's pid namespace, which */
	__u32			level;	/* it never leaves */
	__u32			knows_ns;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct scratch_buffer);
} scratch SEC(".maps");

/* The reader's request lies in its buffer, the second argument of read(2). */
static __always_inline const void *
asked_at(void)
{
	struct pt_regs *r;

	r = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	if (bpf_core_field_exists(r->si))
		return (void *)r->si;
	return (void *)r->regs[1];
}

/* Whether p is wanted.  Sets the ids of p. */
static __always_inline int
is_wanted(struct task_struct *p, const struct s9_asked *a,
    struct scratch_buffer *buffer)
{
	struct s9_record *r = (struct s9_record *)buffer;

	if (a->magic != S9_ASKED)
		return 0;
	if (!buffer->knows_ns) {
		s9_my_ns(&buffer->level, &buffer->ns);
		buffer->knows_ns = 1;
	}
	s9_ids(p, &r->tid, &r->pid, buffer->level, buffer->ns);
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
	struct s9_record *who;
	struct s9_asked a;
	struct scratch_buffer *buffer;

	buffer = bpf_task_storage_get(&scratch, bpf_get_current_task_btf(), 0,
	    BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (p == NULL || buffer == NULL ||
	    bpf_copy_from_user(&a, sizeof(a), asked_at()) != 0 ||
	    !is_wanted(p, &a, buffer))
		return 0;
	who = (struct s9_record *)buffer;
	s9_sample_task(p, who);
	if (a.what == S9_KERNEL_SIDE)
		size = s9_sample_kernel(p, who);
	else if (a.what == S9_USER_SIDE)
		size = s9_sample_user(p, &buffer->r, a.from);
	bpf_seq_write(seq, buffer, size);
	return 0;
}

S9_LICENSE;
