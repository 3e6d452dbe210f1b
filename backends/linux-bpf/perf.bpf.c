/*
 * Samples a running thread if no interrupt can be sent to its CPU.  A clock
 * event of perf(1), bound to that thread, runs this program on its first tick.
 * The event's registers are those of the interrupted thread, so the stack has
 * no frames of the interrupt; no frames at all mean user mode.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#include "bpf/sample.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 64 * 1024);
} samples SEC(".maps");

SEC("perf_event")
int
perf(void *ctx)
{
	struct s9_record *r = bpf_ringbuf_reserve(&samples, sizeof(*r), 0);

	if (r == NULL)	/* the reader already has a sample, and needs but one */
		return 0;
	s9_sample_current_stack(ctx, r);
	bpf_ringbuf_submit(r, 0);
	return 0;
}

S9_LICENSE;
