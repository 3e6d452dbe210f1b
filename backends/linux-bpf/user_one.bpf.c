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
#define	S9_READ_USER(p, to, size, from)					\
	bpf_copy_from_user_task((to), (size), (from), (p), 0)
#include "bpf/user_sample.h"

extern struct task_struct *bpf_task_from_pid(__s32 pid) __ksym;
extern void bpf_task_release(struct task_struct *p) __ksym;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, S9_SLOTS);
	__type(key, __u32);
	__type(value, struct s9_slot);
} slots SEC(".maps");

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
	if (ctx->what == S9_KERNEL_SIDE)
		s9_sample_kernel(p, &s->k);
	else
		s9_sample_user(p, &s->u, ctx->from);
	bpf_task_release(p);
	s->ticket = ctx->ticket;
	ctx->found = 0;
	return 0;
}

S9_LICENSE;
