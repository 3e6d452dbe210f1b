/*
 * Samples the user side of one thread in one bpf(2) call, or its kernel stack
 * in another.  user.bpf.c says why one call does not sample both.
 *
 * 20 KiB do not fit into a program's context, so they go into a map that the
 * process has mapped.  The map belongs to this process, so the program must not
 * be pinned.  There are several slots, so that a memory that keeps one reader
 * waiting keeps no other.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#define	S9_DIRECT
#define	S9_SINCE_5_16
#define	S9_READ_USER(p, to, size, from)					\
	bpf_copy_from_user_task((to), (size), (from), (p), 0)
#include "bpf/user_sample.h"
#include "name_of.h"

extern struct task_struct *bpf_task_from_pid(__s32 pid) __ksym;
extern void bpf_task_release(struct task_struct *p) __ksym;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, S9_SLOTS);
	__type(key, __u32);
	__type(value, struct s9_slot);
} slots SEC(".maps");

/*
 * Copies the stack, or says that a page is missing.  The process then asks for
 * less.  Rejected: to copy the pages before it here, as user.bpf.c does.  That
 * takes the verifier a third of its time; few stacks have a hole so near.
 */
static __always_inline void
copy_user(struct task_struct *p, struct s9_user_record *r, __u64 from,
    __u32 most)
{
	__u32 span = s9_user_span(p, &r->user, sizeof(r->stack), from, 1);

	if (span == 0)
		return;
	asm volatile("" : "+r"(span));
	if (span > most) {
		span = most;
		r->user.flags = 0;
	}
	if (span > sizeof(r->stack))
		return;
	if (S9_READ_USER(p, r->stack, span, (const void *)r->user.from) == 0)
		r->user.bytes = span;
	else
		r->user.flags = S9_USER_HOLE;
}

/* Whether the thread or its reader ran meanwhile is read for both sides, so
 * that the program has it once. */
static __always_inline void
sample(struct task_struct *p, struct s9_slot *s, const struct s9_user_one *ctx)
{
	enum s9_what what = ctx->what;
	struct s9_record *k = &s->k;
	__u64 mine = s9_my_switches();

	k->bytes = 0;
	k->switches = s9_switches(p);
	k->on_cpu = s9_on_cpu(p);
	if (what != S9_KERNEL_SIDE)
		s->u.user.bytes = s->u.user.flags = 0;
	if (k->on_cpu)
		;	/* as s9_sample_kernel_stack() says */
	else if (what == S9_KERNEL_SIDE)
		k->bytes = (__s32)bpf_get_task_stack(p, k->pcs,
		    sizeof(k->pcs), 0);
	else
		copy_user(p, &s->u, ctx->from, ctx->most);
	if (k->bytes > 0 && s9_my_switches() != mine)
		k->bytes = -S9_EAGAIN;
	s9_sample_after(p, k);
}

SEC("syscall")
int
user_one(struct s9_user_one *ctx)
{
	__u32 which = ctx->slot;
	struct s9_slot *s = bpf_map_lookup_elem(&slots, &which);
	struct task_struct *p;

	p = s != NULL ? bpf_task_from_pid(ctx->tid) : NULL;
	if (p == NULL) {
		ctx->found = -3; /* ESRCH */
		return 0;
	}
	s9_sample_task(p, &s->k);
	s->k.tid = s->k.host_tid;
	s->k.pid = s->k.host_pid;
	sample(p, s, ctx);
	bpf_task_release(p);
	s->ticket = ctx->ticket;
	ctx->found = 0;
	return 0;
}

/* Names a kernel address.  A process that captures a stack usually prints it,
 * and two programs in one object load quicker than in two. */
SEC("syscall")
int
name(struct s9_name_in_slot *ctx)
{
	__u32 which = ctx->slot;
	struct s9_slot *s = bpf_map_lookup_elem(&slots, &which);

	if (s == NULL)
		return 0;
	ctx->len = s9_format(s->text, ctx->pc, ctx->return_address);
	s->ticket = ctx->ticket;
	return 0;
}

S9_LICENSE;
