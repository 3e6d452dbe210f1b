/*
 * Samples the kernel stacks of all threads, of one process or of one thread, by
 * an iterator over tasks (Linux 5.8; bpf_get_task_stack() since 5.9).  The
 * program filters threads although the iterator has a filter: a kernel before
 * 6.1 accepts that filter and ignores it.
 *
 * The capture lock guards the maps (capture_lock.h).  The program runs in the
 * reader's own read(2).
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#define	S9_DIRECT
#include "bpf/sample.h"
#include "bpf/pid_ns.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct s9_record);
} scratch SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct s9_wanted);
} wanted SEC(".maps");

SEC("iter/task")
int
tasks(struct bpf_iter__task___s9 *ctx)
{
	struct task_struct *p = ctx->task;
	struct s9_wanted *w;
	struct s9_record *r;
	__u32 zero = 0, bytes;

	w = bpf_map_lookup_elem(&wanted, &zero);
	r = bpf_map_lookup_elem(&scratch, &zero);
	if (p == NULL || w == NULL || r == NULL)
		return 0;
	if (w->visited++ == 0)
		s9_my_ns(&w->level, &w->ns);
	s9_ids(p, &r->tid, &r->pid, w->level, w->ns);
	if (r->tid == 0 || (w->tid != 0 && r->tid != w->tid) ||
	    (w->pid != 0 && r->pid != w->pid))
		return 0;
	s9_sample_task(p, r);
	if (w->pid != 0)
		r->is_newest = s9_is_newest(p);
	s9_sample_kernel_stack(p, r);
	/* An errno, as unsigned, is larger than the array too.  One register is
	 * compared once: 5.10's verifier follows no copies. */
	bytes = (__u32)r->bytes;
	asm volatile("" : "+r"(bytes));
	if (bytes > sizeof(r->pcs))
		bytes = 0;
	bpf_seq_write(ctx->meta->seq, r, S9_RECORD_HEAD + bytes);
	return 0;
}

S9_LICENSE;
