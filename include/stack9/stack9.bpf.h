/*
 * Takes user stacks of the current task in a BPF program of anybody's, without
 * frame pointers.  man/stack9_bpf.3 has the contracts in prose.
 *
 * Include vmlinux.h or <linux/bpf.h>, and <bpf/bpf_helpers.h>, before.  All is
 * static, and what a program does not call is not in its object, except the
 * maps: stack9_rules_attach() replaces these before the object is loaded.  A
 * program that is loaded without it gets -EOPNOTSUPP from each call.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_BPF_H
#define STACK9_BPF_H

#include <stack9/bpf_stack.h>

/* A compiler for another CPU finds nothing more here. */
#ifdef __bpf__

/* A call returns the number of frames, or one of these. */
#define	STACK9_BPF_SENT		0	/* the sample comes with the cookie to
					   stack9_rules_read() */
#define	STACK9_BPF_GONE		(-3)	/* ESRCH: the task ends, and has left
					   its memory */
#define	STACK9_BPF_NESTED	(-16)	/* EBUSY: 4 others are under way */
#define	STACK9_BPF_FULL		(-28)	/* ENOSPC: the ring is, and the stack
					   is lost */
#define	STACK9_BPF_NONE		(-95)	/* EOPNOTSUPP: no rules are attached, or
					   the task is the kernel's own */
#define	STACK9_BPF_ENDED	(-125)	/* ECANCELED: the rules are closed, or
					   their owner does not wish it */

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, STACK9_BPF_LEVELS);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct stack9_bpf_call));
} stack9_calls_1 SEC(".maps");

/* Bare tail calls: the cookie of the thread's next one, by
 * bpf_get_current_pid_tgid(). */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__uint(key_size, 8);
	__uint(value_size, 8);
} stack9_cookies_1 SEC(".maps");

/* The verifier requires the version of the atomic exchange that any -mcpu=
 * takes: r2 = xchg_64(r1 + 0, r2). */
static inline __attribute__((always_inline, unused)) unsigned long long
stack9_exchange(unsigned long long *at, unsigned long long with)
{
	register unsigned long long *address asm("r1") = at;
	register unsigned long long word asm("r2") = with;

	asm volatile(".byte 0xdb, 0x21, 0, 0, 0xe1, 0, 0, 0" :
	    "+r"(word) : "r"(address) : "memory");
	return word;
}

/* A program may interrupt another one on its CPU, or preempt it, so the call is
 * claimed.  The task comes last: it shows the call to the library. */
static inline __attribute__((always_inline, unused)) struct stack9_bpf_call *
stack9_claim(unsigned long long cookie, unsigned int flags)
{
	struct stack9_bpf_call *c, *first;
	unsigned int level = 0;

	first = bpf_map_lookup_elem(&stack9_calls_1, &level);
	if (first == (void *)0)
		return first;
#pragma unroll
	for (unsigned int i = 0; i < STACK9_BPF_LEVELS; i++) {
		level = i;
		c = bpf_map_lookup_elem(&stack9_calls_1, &level);
		if (c == (void *)0 || c->busy ||
		    stack9_exchange(&c->busy, 1) != 0)
			continue;
		c->taken = 0;
		c->result = STACK9_BPF_NONE;
		c->cookie = cookie;
		c->flags = flags;
		c->serial = bpf_ktime_get_ns();
		asm volatile("" : : : "memory");
		c->task = bpf_get_current_task();
		return c;
	}
	return (void *)0;
}

/* The bytes of an answer.  The number of frames is in a register of its own,
 * for the verifier to see its bound: a mask, for all its bits are set. */
static inline __attribute__((always_inline, unused)) unsigned long long
stack9_size(int result)
{
	unsigned long long depth = (unsigned int)result;

	asm volatile("" : "+r"(depth));
	depth &= STACK9_BPF_FRAMES;
	return STACK9_BPF_SIZE(depth);
}

/* Takes the answer into the caller's memory, or into a ring, and lets the call
 * go. */
static inline __attribute__((always_inline, unused)) int
stack9_leave(struct stack9_bpf_call *c, struct stack9_bpf_stack *to, void *ring)
{
	int result = *(volatile int *)&c->result;

	if (result > 0 && to != (void *)0)
		bpf_probe_read_kernel(to, stack9_size(result), &c->stack);
	if (result > 0 && ring != (void *)0 && bpf_ringbuf_output(ring,
	    &c->stack, stack9_size(result), 0) != 0)
		result = STACK9_BPF_FULL;
	c->task = 0;
	asm volatile("" : : : "memory");
	c->busy = 0;
	return result;
}

/*
 * int stack9_from_TYPE(void *ctx, unsigned long long cookie,
 *     struct stack9_bpf_stack *to)
 * int stack9_output_TYPE(void *ctx, unsigned long long cookie, void *ring)
 *
 * Take the user stack of the current task, in a program of this type, from its
 * context, into memory of the caller's, or into a ring of the caller's (a map
 * of BPF_MAP_TYPE_RINGBUF), where it has the bytes of its frames only.  Above
 * 0: the number of frames; 0: the sample comes to stack9_rules_read(), with the
 * cookie; below 0: there is none, as STACK9_BPF_... above say.  With to NULL
 * the sample is always sent.
 *
 * The function that jumps is not a part of the program: a tail call from a
 * function returns to the function's caller.  So it is not inline.
 */
#define	STACK9_BPF_TYPE(of, map)					\
struct {								\
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);				\
	__uint(max_entries, 1);						\
	__uint(key_size, 4);						\
	__uint(value_size, 4);						\
} map SEC(".maps");							\
static __attribute__((noinline, unused)) int				\
stack9_jump_##of(void *ctx)						\
{									\
	bpf_tail_call(ctx, &map, 0);					\
	return 0;							\
}									\
static inline __attribute__((always_inline, unused)) int		\
stack9_call_##of(void *ctx, unsigned long long cookie,			\
    struct stack9_bpf_stack *to, void *ring)				\
{									\
	struct stack9_bpf_call *c_ = stack9_claim(cookie,		\
	    to == (void *)0 && ring == (void *)0 ?			\
	    STACK9_BPF_SEND : 0);					\
									\
	if (c_ == (void *)0)						\
		return STACK9_BPF_NESTED;				\
	stack9_jump_##of(ctx);						\
	return stack9_leave(c_, to, ring);				\
}									\
static inline __attribute__((always_inline, unused)) int		\
stack9_from_##of(void *ctx, unsigned long long cookie,			\
    struct stack9_bpf_stack *to)					\
{									\
	return stack9_call_##of(ctx, cookie, to, (void *)0);		\
}									\
static inline __attribute__((always_inline, unused)) int		\
stack9_output_##of(void *ctx, unsigned long long cookie, void *ring)	\
{									\
	return stack9_call_##of(ctx, cookie, (void *)0, ring);		\
}

STACK9_BPF_TYPE(kprobe, stack9_kprobe_1)	/* uprobes, too */
STACK9_BPF_TYPE(raw_tp, stack9_raw_tp_1)
STACK9_BPF_TYPE(tracepoint, stack9_tp_1)
STACK9_BPF_TYPE(perf_event, stack9_perf_1)

#endif /* __bpf__ */

#endif /* STACK9_BPF_H */
