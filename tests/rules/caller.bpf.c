/*
 * Calls <stack9/stack9.bpf.h> from each type of program, for one process, and
 * counts what each call returns.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <stack9/stack9.bpf.h>

#include "caller.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct asked);
} asked SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct answers);
} answers SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 64 << 20);
} stored SEC(".maps");

static __always_inline struct asked *
wanted(void)
{
	__u32 zero = 0;
	struct asked *a = bpf_map_lookup_elem(&asked, &zero);

	return a != NULL && a->pid == bpf_get_current_pid_tgid() >> 32 ?
	    a : NULL;
}

static __always_inline void
count(int result)
{
	__u32 zero = 0;
	struct answers *all = bpf_map_lookup_elem(&answers, &zero);

	if (all == NULL)
		return;
	__sync_fetch_and_add(result > 0 ? &all->stored :
	    result == STACK9_BPF_SENT ? &all->sent :
	    result == STACK9_BPF_NONE ? &all->none :
	    result == STACK9_BPF_FULL ? &all->full :
	    result == STACK9_BPF_NESTED ? &all->nested :
	    result == STACK9_BPF_ENDED ? &all->ended : &all->other, 1);
}

/* The call that each program makes. */
#define	CALL(type) do {							\
	struct asked *a_ = wanted();					\
									\
	if (a_ == NULL)							\
		return 0;						\
	if (a_->send)							\
		count(stack9_from_##type(ctx, a_->cookie, NULL));	\
	else								\
		count(stack9_output_##type(ctx, a_->cookie, &stored));	\
} while (0)

SEC("raw_tp/sys_enter")
int
by_raw_tp(struct bpf_raw_tracepoint_args *ctx)
{
	if (ctx->args[1] == GETPPID)
		CALL(raw_tp);
	return 0;
}

/* Into memory of a map that has more than the frames. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct stack9_bpf_stack);
} memory SEC(".maps");

SEC("raw_tp/sys_enter")
int
by_memory(struct bpf_raw_tracepoint_args *ctx)
{
	struct asked *a = wanted();
	struct stack9_bpf_stack *s;
	__u32 zero = 0;
	int result;

	if (a == NULL || ctx->args[1] != GETPPID)
		return 0;
	s = bpf_map_lookup_elem(&memory, &zero);
	if (s == NULL)
		return 0;
	result = stack9_from_raw_tp(ctx, a->cookie, s);
	count(result);
	if (result > 0)
		bpf_ringbuf_output(&stored, s, sizeof(*s), 0);
	return 0;
}

SEC("tracepoint/syscalls/sys_enter_getppid")
int
by_tracepoint(void *ctx)
{
	CALL(tracepoint);
	return 0;
}

SEC("uprobe")
int
by_uprobe(void *ctx)
{
	CALL(kprobe);
	return 0;
}

SEC("perf_event")
int
by_perf_event(void *ctx)
{
	CALL(perf_event);
	return 0;
}

/* As a tool does that cannot include the header. */
SEC("raw_tp/sys_enter")
int
bare(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 thread = bpf_get_current_pid_tgid();
	struct asked *a = wanted();
	__u64 cookie;

	if (a == NULL || ctx->args[1] != GETPPID)
		return 0;
	cookie = a->cookie;
	bpf_map_update_elem(&stack9_cookies_1, &thread, &cookie, BPF_ANY);
	bpf_tail_call(ctx, &stack9_raw_tp_1, 0);
	count(STACK9_BPF_NONE);
	return 0;
}

/* A call, and a bare one before the call is left: as of a program that
 * interrupts it. */
SEC("raw_tp/sys_enter")
int
within(struct bpf_raw_tracepoint_args *ctx)
{
	struct asked *a = wanted();
	struct stack9_bpf_call *c;

	if (a == NULL || ctx->args[1] != GETPPID)
		return 0;
	c = stack9_claim(a->cookie, 0);
	if (c == NULL)
		return 0;
	stack9_jump_raw_tp(ctx);
	stack9_jump_raw_tp(ctx);
	count(stack9_leave(c, NULL, &stored));
	return 0;
}

SEC("raw_tp/sys_enter")
int
prints(struct bpf_raw_tracepoint_args *ctx)
{
	struct asked *a = wanted();

	if (a != NULL && ctx->args[1] == GETPPID)
		bpf_printk("stack9 %llx", a->cookie);
	return 0;
}

/* Has the prefix of those that ask. */
SEC("raw_tp/sys_enter")
int
prints_else(struct bpf_raw_tracepoint_args *ctx)
{
	if (wanted() != NULL && ctx->args[1] == GETPPID)
		bpf_printk("stack8 %llx", 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
