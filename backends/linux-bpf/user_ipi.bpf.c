/*
 * Samples both sides of the thread that runs on a CPU, as ipi.bpf.c samples the
 * kernel side.  An interrupt cannot wait, so a page that is not in memory is
 * missing.  The thread does not run during the copy, 1 us for 10 KiB.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#define	S9_READ_USER(p, to, size, from)					\
	bpf_probe_read_user((to), (size), (from))
#include "bpf/user_sample.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct s9_running);
} seen SEC(".maps");

/* 1: seen holds the sample; 0: another thread is current there.  The third
 * argument says whether the kernel stack is wanted too. */
SEC("raw_tp/sys_enter")
int
user_ipi(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *p = bpf_get_current_task_btf();
	__u32 tid = (__u32)ctx->args[0];
	__u64 start_ns = ctx->args[1];
	__u64 kernel = ctx->args[2];
	struct s9_running *r;
	__u32 zero = 0;

	if ((__u32)BPF_CORE_READ(p, pid) != tid ||
	    BPF_CORE_READ(p, start_boottime) != start_ns)
		return 0;
	r = bpf_map_lookup_elem(&seen, &zero);
	if (r == NULL)
		return 0;
	if (kernel)
		s9_sample_current_stack(ctx, &r->k);
	else
		s9_sample_current(&r->k);
	s9_user_side(p, &r->user, r->stack, sizeof(r->stack), 0, 0);
	return 1;
}

S9_LICENSE;
