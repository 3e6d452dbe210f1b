/*
 * Samples the thread that runs on a CPU, in an interrupt on that CPU.
 * BPF_PROG_TEST_RUN with BPF_F_TEST_RUN_ON_CPU (Linux 5.10) runs the program
 * there at once, in the context of the current thread.  The program's arguments
 * name the thread that is expected.  The program is never attached, neither to
 * the tracepoint that it names (loaders need one) nor to any other.
 *
 * The capture lock guards the map (capture_lock.h).
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#include "bpf/sample.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct s9_record);
} seen SEC(".maps");

/* 1: seen holds the sample; 0: another thread is current there. */
SEC("raw_tp/sys_enter")
int
ipi(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *p = (void *)bpf_get_current_task();
	__u32 tid = (__u32)ctx->args[0];
	__u64 start_ns = ctx->args[1];
	struct s9_record *r;
	__u32 zero = 0;

	if ((__u32)BPF_CORE_READ(p, pid) != tid ||
	    BPF_CORE_READ(p, start_boottime) != start_ns)
		return 0;
	r = bpf_map_lookup_elem(&seen, &zero);
	if (r == NULL)
		return 0;
	s9_sample_current_stack(ctx, r);
	return 1;
}

S9_LICENSE;
