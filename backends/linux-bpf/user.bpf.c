/*
 * Samples the user sides of all threads, of one process or of one thread, or in
 * a pass of its own their kernel stacks.  The iterator may sleep, as it must to
 * read another process's memory (bpf_copy_from_user_task(), Linux 5.18).
 *
 * One pass does not sample both sides.  The memory of a thread may keep its
 * reader waiting for as long as that thread's owner likes, and the kernel's
 * stack helper must not be called twice at once (capture_lock.h).  A reader
 * that held the lock for both sides would keep everybody's kernel stacks
 * waiting.  The switch counts show that both sides are of the same sleep.
 *
 * The program writes only to storage of the reading thread, so it can be
 * pinned, and a reader that waits keeps no other waiting.  Rejected: slots in
 * an array.  All readers of a pinned program would share them, so readers that
 * wait for some process's memory would keep them from everybody.  Rejected: a
 * buffer per CPU.  A reader that waits wakes on another CPU.
 * Rejected: asking for a part of a stack when it is needed.  The verifier took
 * 4 ms more, at each start of stackprint, and a pass gained 0.1 us a thread.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#define	S9_DIRECT
#define	S9_SINCE_5_16
#define	S9_READ_USER(p, to, size, from)					\
	bpf_copy_from_user_task((to), (size), (from), (p), 0)
#include "bpf/user_sample.h"
#include "bpf/pid_ns.h"

struct head_buffer {
	union {
		struct s9_record	kernel;
		struct {
			char		who[S9_RECORD_HEAD];
			struct s9_user	user;
		};
	};
	__u64	ns;		/* the thread's pid namespace: */
	__u32	level;		/* it never leaves this one */
	__u32	knows_ns;
	__u32	in_part;	/* bytes of the part that is copied */
	__u32	reserved;
};

struct stack_part {
	char	bytes[S9_USER_PART];
};

_Static_assert(__builtin_offsetof(struct head_buffer, user) ==
    __builtin_offsetof(struct s9_user_record, user), "heads are alike");
_Static_assert(S9_USER_STACK <= 3 * S9_USER_PART, "a stack has three parts");

#define	S9_STORAGE(name, value_type)					\
struct {								\
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);			\
	__uint(map_flags, BPF_F_NO_PREALLOC);				\
	__type(key, int);						\
	__type(value, struct value_type);				\
} name SEC(".maps")

S9_STORAGE(head, head_buffer);
S9_STORAGE(part0, stack_part);
S9_STORAGE(part1, stack_part);
S9_STORAGE(part2, stack_part);

/* The reader's own element of a map; NULL: the kernel gives none. */
#define	S9_MINE(map)							\
	bpf_task_storage_get(&(map), bpf_get_current_task_btf(), NULL,	\
	    BPF_LOCAL_STORAGE_GET_F_CREATE)

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

/* True if p is asked for.  Sets the ids of p. */
static __always_inline int
is_wanted(struct task_struct *p, const struct s9_asked *a,
    struct head_buffer *b)
{
	struct s9_record *r = &b->kernel;

	if (!b->knows_ns) {
		s9_my_ns(&b->level, &b->ns);
		b->knows_ns = 1;
	}
	s9_ids(p, &r->tid, &r->pid, b->level, b->ns);
	return r->tid != 0 && (a->tid == 0 || r->tid == a->tid) &&
	    (a->pid == 0 || r->pid == a->pid);
}

/* A thread for which there is no buffer must not be missing without a word. */
static __always_inline int
write_no_buffer(struct seq_file *seq)
{
	char none[S9_RECORD_HEAD] = {};

	((struct s9_record *)none)->tid = S9_NO_BUFFER;
	bpf_seq_write(seq, none, sizeof(none));
	return 0;
}

/*
 * Copies what belongs into a part of the stack, if the part before it is full.
 * A part begins at a multiple of a part's size.  b->user.bytes: how many bytes
 * the parts hold.  It is in memory, so that the verifier does not follow each
 * number of bytes on its own.
 */
static __always_inline void
copy_part(struct task_struct *p, struct stack_part *to, struct head_buffer *b,
    __u32 begin, __u32 span)
{
	volatile __u32 *done = &b->user.bytes, *in_part = &b->in_part;

	if (*done != begin || span <= begin)
		return;
	s9_copy_stack(p, to->bytes, b->user.from + begin, span - begin,
	    sizeof(to->bytes), in_part);
	*done = begin + *in_part;
}

/* Writes what a part of the stack holds, as one of done bytes in all. */
static __always_inline void
write_part(struct seq_file *seq, const struct stack_part *part, __u32 begin,
    __u32 done)
{
	__u32 bytes;

	if (done <= begin)
		return;
	bytes = done - begin;
	/* As in tasks.bpf.c, one register is compared once. */
	asm volatile("" : "+r"(bytes));
	if (bytes > sizeof(part->bytes))
		bytes = sizeof(part->bytes);
	bpf_seq_write(seq, part->bytes, bytes);
}

SEC("iter.s/task")
int
user(struct bpf_iter__task___s9 *ctx)
{
	struct task_struct *p = ctx->task;
	struct seq_file *seq = ctx->meta->seq;
	struct stack_part *one, *two, *three;
	__u32 span, done;
	struct head_buffer *b;
	struct s9_asked a;

	if (p == NULL || bpf_copy_from_user(&a, sizeof(a), asked_at()) != 0 ||
	    a.magic != S9_ASKED)
		return 0;
	b = S9_MINE(head);
	if (b == NULL)
		return write_no_buffer(seq);
	if (!is_wanted(p, &a, b))
		return 0;
	s9_sample_task(p, &b->kernel);
	if (a.pid != 0)
		b->kernel.is_newest = s9_is_newest(p);
	if (a.what == S9_KERNEL_SIDE) {
		bpf_seq_write(seq, b, s9_sample_kernel(p, &b->kernel));
		return 0;
	}
	one = S9_MINE(part0);
	two = S9_MINE(part1);
	three = S9_MINE(part2);
	if (one == NULL || two == NULL || three == NULL)
		return write_no_buffer(seq);
	if (a.what != S9_USER_SIDE) {
		bpf_seq_write(seq, b, S9_RECORD_HEAD);
		return 0;
	}
	if (!s9_sample_before(p, &b->kernel, &b->user)) {
		span = s9_user_span(p, &b->user, S9_USER_STACK, a.from, 1);
		copy_part(p, one, b, 0, span);
		copy_part(p, two, b, S9_USER_PART, span);
		copy_part(p, three, b, 2 * S9_USER_PART, span);
		s9_user_copied(&b->user, span);
	}
	done = b->user.bytes;
	s9_sample_after(p, &b->kernel);
	bpf_seq_write(seq, b, S9_USER_HEAD);
	write_part(seq, one, 0, done);
	write_part(seq, two, S9_USER_PART, done);
	write_part(seq, three, 2 * S9_USER_PART, done);
	return 0;
}

S9_LICENSE;
