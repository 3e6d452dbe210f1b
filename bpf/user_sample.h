/*
 * Samples a thread's user side: its registers at its entry into the kernel, and
 * its stack from the stack pointer outwards.
 *
 * A program defines S9_READ_USER(p, to, size, from).  It returns 0, or fails as
 * a whole if a page is missing.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_USER_SAMPLE_H
#define STACK9_USER_SAMPLE_H

#include "sample.h"

#define	S9_PAGE		4096	/* or a multiple of it */
#define	S9_PF_KTHREAD	0x00200000	/* include/linux/sched.h */
#define	S9_RED_ZONE	128	/* below sp, in use: psABI, 3.2.2 */
#define	S9_OUTERMOST	128	/* above where exec(2) left sp: argc, a bit */

/* kernel/locking/rwsem.c: a writer holds it, or waits and goes first. */
#define	S9_RWSEM_CLOSED	7

/*
 * True if a reader of this memory would have to wait now.  The answer may be
 * wrong a moment later.  But without it, a process that hangs in the middle of
 * an mmap(2) would hang all its readers.
 */
static __always_inline int
s9_is_busy(struct mm_struct *mm)
{
	if (!bpf_core_field_exists(mm->mmap_lock.count.counter))
		return 0;
	return (BPF_CORE_READ(mm, mmap_lock.count.counter) &
	    S9_RWSEM_CLOSED) != 0;
}

/* The thread pointer.  The C library keeps its memory at the top of each stack
 * that it makes. */
static __always_inline __u64
s9_thread_pointer(struct task_struct *p)
{
	struct thread_struct___arm64 *t = (void *)&p->thread;

	if (bpf_core_field_exists(p->thread.fsbase))
		return S9_GET(p, thread.fsbase);
	if (bpf_core_field_exists(t->uw.tp_value))
		return BPF_CORE_READ(t, uw.tp_value);
	return 0;
}

/* The nearer of two ends above at; 0: neither lies above it. */
static __always_inline __u64
s9_nearer(__u64 at, __u64 one, __u64 other)
{
	if (one <= at)
		return other > at ? other : 0;
	return other > at && other < one ? other : one;
}

/*
 * The number of bytes to copy from at on, and whether there may be more.  A
 * stack that the C library made ends at its thread pointer; the one of exec(2)
 * ends where it began.  The end of another stack is not known, so as much is
 * copied as there is capacity for.
 */
static __always_inline __u32
s9_extent(struct task_struct *p, struct mm_struct *mm, __u64 at, __u32 capacity,
    __u32 *flags)
{
	__u64 end = s9_nearer(at, s9_thread_pointer(p),
	    BPF_CORE_READ(mm, start_stack) + S9_OUTERMOST);

	if (end != 0 && end - at <= capacity)
		return (__u32)(end - at);
	*flags |= S9_USER_MORE;
	return capacity;
}

/* Copies the registers; returns the stack pointer.  The verifier has to know
 * the pointer p. */
static __always_inline __u64
s9_registers(struct task_struct *p, struct s9_user *u)
{
	const void *from = (void *)bpf_task_pt_regs(p);
	__u32 size = bpf_core_type_size(struct pt_regs);

	if (size > sizeof(u->regs))
		size = sizeof(u->regs);
	if (bpf_probe_read_kernel(u->regs, size, from) != 0)
		return 0;
	return *(__u64 *)((char *)u->regs +
	    bpf_core_field_offset(struct pt_regs, sp));
}

/* Copies size more bytes, if they fit and are wanted.  The compiler would leave
 * out the second comparison, as the span fits; the verifier needs it. */
#define	S9_STEP(p, to, at, span, capacity, done, size) do {		\
	__u32 now = *(done), fits = now + (size) <= (span);		\
									\
	asm volatile("" : "+r"(now));					\
	if (fits && now <= (capacity) - (size) &&			\
	    S9_READ_USER(p, (to) + now, (size),				\
	    (const void *)((at) + now)) == 0)				\
		*(done) = now + (size);					\
} while (0)

/*
 * Copies [at, at + span) into capacity bytes, and stores how many were copied.
 * Each read pins pages one by one, but searches the first of them again, so one
 * read for all is tried first.  If a page is missing, the bytes before it are
 * copied: the rest of the first page, then half of the largest possible rest,
 * half of that, and so on.  This finds the hole in as many steps as the number
 * of pages has bits.  A loop over the pages would keep the verifier busy for 4
 * ms.  If done is in memory of a map, the verifier does not follow each number
 * on its own.
 */
static __always_inline void
s9_copy_stack(struct task_struct *p, char *to, __u64 at, __u32 span,
    __u32 capacity, volatile __u32 *done)
{
	__u32 first = S9_PAGE - (at & (S9_PAGE - 1));

	/* The register that the read is given is compared once: 6.1's
	 * verifier does not follow a copy of it. */
	asm volatile("" : "+r"(span));
	if (span > capacity)
		span = capacity;
	*done = span;
	if (S9_READ_USER(p, to, span, (const void *)at) == 0)
		return;
	*done = 0;
	if (S9_READ_USER(p, to, first, (const void *)at) != 0)
		return;
	*done = first;
	if (capacity > 32 * 1024)
		S9_STEP(p, to, at, span, capacity, done, 32 * 1024);
	if (capacity > 16 * 1024)
		S9_STEP(p, to, at, span, capacity, done, 16 * 1024);
	if (capacity > 8 * 1024)
		S9_STEP(p, to, at, span, capacity, done, 8 * 1024);
	S9_STEP(p, to, at, span, capacity, done, 4 * 1024);
}

/* Samples the registers of a thread that does not run meanwhile.  Returns how
 * many bytes of its stack to copy, from u->from on; 0: none.  from: as in
 * s9_asked; waits: whether reading may have to wait for the owner of the
 * memory. */
static __always_inline __u32
s9_user_span(struct task_struct *p, struct s9_user *u, __u32 capacity,
    __u64 from, int waits)
{
	/* A helper reads it: for a direct load of a pointer the verifier
	 * searches all names of the kernel's BTF, 0.3 ms and more each time. */
	struct mm_struct *mm = BPF_CORE_READ(p, mm);
	__u64 sp;

	u->from = u->bytes = u->flags = 0;
	if ((S9_GET(p, flags) & S9_PF_KTHREAD) || mm == NULL) {
		u->flags = S9_USER_NONE;
		return 0;
	}
	sp = s9_registers(p, u);
	if (sp == 0) {	/* a worker that the kernel made for a user's thread */
		u->flags = S9_USER_NONE;
		return 0;
	}
	u->from = from != 0 ? from : sp - S9_RED_ZONE;
	if (waits && s9_is_busy(mm)) {
		u->flags = S9_USER_BUSY;
		return 0;
	}
	return s9_extent(p, mm, u->from, capacity, &u->flags);
}

/* Says whether there is a hole in the span. */
static __always_inline void
s9_user_copied(struct s9_user *u, __u32 span)
{
	if (u->bytes < span)
		u->flags &= ~S9_USER_MORE;	/* a hole */
}

/* Samples the user side of a thread that does not run meanwhile. */
static __always_inline void
s9_user_side(struct task_struct *p, struct s9_user *u, char *stack,
    __u32 capacity, __u64 from, int waits)
{
	__u32 span = s9_user_span(p, u, capacity, from, waits);

	if (span == 0)
		return;
	s9_copy_stack(p, stack, u->from, span, capacity, &u->bytes);
	s9_user_copied(u, span);
}

#ifdef S9_DIRECT

/*
 * Reads whether p runs; s9_sample_after() reads it again after the user side is
 * sampled.  If p runs, the result is not 0, and its user side is not sampled.
 */
static __always_inline int
s9_sample_before(struct task_struct *p, struct s9_record *who,
    struct s9_user *user)
{
	who->bytes = 0;
	who->switches = s9_switches(p);
	who->on_cpu = s9_on_cpu(p);
	user->bytes = user->flags = 0;
	return who->on_cpu != 0;
}

/* Samples the user side, and whether p runs before and after. */
static __always_inline void
s9_sample_user(struct task_struct *p, struct s9_user_record *r, __u64 from)
{
	struct s9_record *who = (struct s9_record *)r->who;

	if (!s9_sample_before(p, who, &r->user))
		s9_user_side(p, &r->user, r->stack, sizeof(r->stack), from,
		    1);
	s9_sample_after(p, who);
}

/* Samples the kernel side; returns the record's size. */
static __always_inline __u32
s9_sample_kernel(struct task_struct *p, struct s9_record *r)
{
	__u32 bytes;

	s9_sample_kernel_stack(p, r);
	bytes = (__u32)r->bytes;
	asm volatile("" : "+r"(bytes));
	return S9_RECORD_HEAD + (bytes > sizeof(r->pcs) ? 0 : bytes);
}

#endif /* S9_DIRECT */

#endif /* STACK9_USER_SAMPLE_H */
