/*
 * Measures each call of malloc(3): the time from its entry to its return, and
 * the stack of its caller.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <stack9/stack9.bpf.h>

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__type(key, __u64);
	__type(value, __u64);
} began SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4 << 20);
} stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} lost SEC(".maps");

SEC("uprobe/malloc")
int
at_entry(void *ctx)
{
	__u64 thread = bpf_get_current_pid_tgid(), now = bpf_ktime_get_ns();

	bpf_map_update_elem(&began, &thread, &now, BPF_ANY);
	return 0;
}

/* The time is the cookie.  So it comes with the stack, whichever way that
 * takes. */
SEC("uretprobe/malloc")
int
at_return(void *ctx)
{
	__u64 thread = bpf_get_current_pid_tgid(), took, *n;
	__u64 *from = bpf_map_lookup_elem(&began, &thread);
	__u32 zero = 0;

	if (from == NULL)
		return 0;
	took = bpf_ktime_get_ns() - *from;
	bpf_map_delete_elem(&began, &thread);
	if (stack9_output_kprobe(ctx, took, &stacks) >= 0)
		return 0;
	n = bpf_map_lookup_elem(&lost, &zero);
	if (n != NULL)
		__sync_fetch_and_add(n, 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
