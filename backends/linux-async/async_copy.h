/*
 * Copies the user side of the current thread, on its way back to user space.
 * The thread may wait for its memory, as it would a moment later anyway.
 *
 * Frame pointers are not followed here, neither by bpf_get_task_stack(), whose
 * buffers two threads must not use at once (capture_lock.h), nor by hand:
 * registers and stack hold all the information.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_ASYNC_COPY_H
#define STACK9_ASYNC_COPY_H

#define	S9_DIRECT
#define	S9_READ_USER(p, to, size, from)					\
	bpf_copy_from_user((to), (size), (from))
#include "bpf/user_sample.h"
#include "slots.h"

#define	S9_PF_EXITING	0x4	/* include/linux/sched.h */
#define	S9_PF_WORKER	0x4010	/* PF_IO_WORKER, PF_USER_WORKER */

#define	S9_ESRCH	3
#define	S9_EOPNOTSUPP	95

#define	S9_ALL_PIECES	(S9_ASYNC_STACK + S9_PIECES * S9_PIECE)

/* The number of bytes to copy of the stack: all if its end is known, if not as
 * much as a usual stack has. */
static __always_inline __u32
s9_goal(struct task_struct *p, struct s9_user *u)
{
	__u32 flags = 0, goal;

	goal = s9_extent(p, BPF_CORE_READ(p, mm), u->from, S9_ALL_PIECES,
	    &flags);
	if (flags & S9_USER_MORE)
		return S9_ASYNC_STACK + S9_PIECE;
	u->flags &= ~S9_USER_MORE;
	return goal;
}

/* Copies size bytes of the stack from at on.  Returns how many there were. */
static __noinline __u32
s9_fill_piece(__u32 number, __u64 at, __u32 size)
{
	struct s9_piece *piece = s9_piece_at(number);
	__u32 done;

	if (piece == NULL)
		return 0;
	s9_copy_stack(NULL, piece->bytes, at, size, S9_PIECE, &done);
	return done;
}

struct s9_filling {
	struct s9_async_slot	*slot;
	__u32			 goal;
};

/* Copies the i-th piece; 1: it was the last.  bpf_loop() calls this, whose body
 * the verifier checks once. */
static long
s9_copy_piece(__u64 i, struct s9_filling *f)
{
	struct s9_async_slot *s = f->slot;
	struct s9_user *u = &s->h.user;
	__u32 number, got, want;

	if (i >= S9_PIECES || u->bytes >= f->goal)
		return 1;
	number = s9_alloc_piece();
	if (number == 0) {
		u->flags |= S9_USER_MORE | S9_USER_SCANT;
		return 1;
	}
	s->h.piece[i] = number;
	s->h.pieces = i + 1;
	want = f->goal - u->bytes;
	if (want > S9_PIECE)
		want = S9_PIECE;
	got = s9_fill_piece(number, u->from + u->bytes, want);
	u->bytes += got;
	if (got < want)
		u->flags &= ~S9_USER_MORE;	/* a hole */
	return got < want;
}

/* Copies the stack that does not fit into the slot. */
static __always_inline void
s9_copy_pieces(struct task_struct *p, struct s9_async_slot *s)
{
	struct s9_filling f = {s, s9_goal(p, &s->h.user)};

	bpf_loop(S9_PIECES, s9_copy_piece, &f, 0);
}

/* The errno if p will never be in user space again; 0 if it may be.  A thread
 * of a program without memory has begun to end since its flags were read. */
static __always_inline __s32
s9_never_user(struct task_struct *p)
{
	__u32 flags = p->flags;

	if (flags & S9_PF_EXITING)
		return S9_ESRCH;
	if (flags & (S9_PF_KTHREAD | S9_PF_WORKER))
		return S9_EOPNOTSUPP;
	return BPF_CORE_READ(p, mm) == NULL ? S9_ESRCH : 0;
}

static __always_inline void
s9_copy_current(struct task_struct *p, struct s9_async_slot *s)
{
	struct s9_record *who = (struct s9_record *)s->h.who;

	s9_sample_task(p, who);
	who->tid = s->h.k.tid;
	who->pid = s->h.k.pid;
	who->switches = who->switches_after = s9_switches(p);
	who->on_cpu = who->on_cpu_after = 1;
	who->bytes = 0;
	s->h.error = s9_never_user(p);
	/* An execve(2) gave the thread another tid, so it is another now. */
	if (who->host_tid != s->h.k.host_tid)
		s->h.error = S9_ESRCH;
	if (s->h.error != 0)
		return;
	s9_user_side(p, &s->h.user, s->stack, sizeof(s->stack), 0, 0);
	if (s->h.user.flags & S9_USER_MORE)
		s9_copy_pieces(p, s);
}

#endif /* STACK9_ASYNC_COPY_H */
