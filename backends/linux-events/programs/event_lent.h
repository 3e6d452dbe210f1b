/*
 * Answers a call for the user stack of the current task: in the caller's
 * memory, if it was walked by rules; if not, by a record of the ring.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_LENT_H
#define STACK9_EVENT_LENT_H

#include <stack9/stack9.bpf.h>

#include "bpf/unwind/walk_registers.h"
#include "event_copy.h"
#include "event_learned.h"

#pragma clang attribute push(__attribute__((preserve_access_index)),	\
    apply_to = record)
struct pt_regs___arm64_lent {
	__u64	pstate;
};
#pragma clang attribute pop

#define	S9_PSTATE_MODE	0xf	/* 0: EL0 */

/* A probe in a function of the kernel has the kernel's registers. */
static __always_inline int
s9_is_of_user(const void *ctx)
{
	struct pt_regs___x86_64 *x86 = NULL;
	struct pt_regs___arm64_lent *arm64 = NULL;
	__u32 offset, bytes = sizeof(__u64);
	__u64 word = 0;

	if (bpf_core_field_exists(x86->cs)) {
		offset = bpf_core_field_offset(struct pt_regs___x86_64, cs);
		bytes = sizeof(__u16);	/* since 6.9 it has no more */
	} else if (bpf_core_field_exists(arm64->pstate)) {
		offset = bpf_core_field_offset(struct pt_regs___arm64_lent,
		    pstate);
	} else {
		return 0;
	}
	if (bpf_probe_read_kernel(&word, bytes, (const char *)ctx + offset))
		return 0;
	return bytes == sizeof(__u16) ? (word & 3) == 3 :
	    (word & S9_PSTATE_MODE) == 0;
}

/* The innermost call of this task on this CPU that nobody has taken; NULL: it
 * is a bare tail call. */
static __always_inline struct stack9_bpf_call *
s9_call_of(__u64 task)
{
	struct stack9_bpf_call *c, *found = NULL;
	__u64 serial = 0;

#pragma unroll
	for (__u32 i = 0; i < STACK9_BPF_LEVELS; i++) {
		__u32 level = i;

		c = bpf_map_lookup_elem(&stack9_calls_1, &level);
		if (c != NULL && c->busy && c->task == task && !c->taken &&
		    c->serial >= serial) {
			serial = c->serial;
			found = c;
		}
	}
	return found;
}

/* The cookie of a bare tail call.  It is good once; 0: it has none. */
static __always_inline __u64
s9_bare_cookie(void)
{
	__u64 thread = bpf_get_current_pid_tgid(), cookie, *kept;

	kept = bpf_map_lookup_elem(&stack9_cookies_1, &thread);
	if (kept == NULL)
		return 0;
	cookie = *kept;
	bpf_map_delete_elem(&stack9_cookies_1, &thread);
	return cookie;
}

/* A text that asks for a stack: "stack9 ", and the cookie in hexadecimal
 * digits, as %llx prints it. */
#define	S9_ASKS		"stack9 "
#define	S9_ASKS_SIZE	(sizeof(S9_ASKS) - 1)
#define	S9_DIGITS	16

/* 1, and the cookie; 0: it asks for none. */
static __always_inline int
s9_text_asks(const void *text, __u64 *cookie)
{
	char read[S9_ASKS_SIZE + S9_DIGITS + 1] = {};
	__u64 number = 0;
	__u32 i;

	if (bpf_probe_read_kernel_str(read, sizeof(read), text) < 0)
		return 0;
#pragma unroll
	for (i = 0; i < S9_ASKS_SIZE; i++)
		if (read[i] != S9_ASKS[i])
			return 0;
#pragma unroll
	for (i = 0; i < S9_DIGITS; i++) {
		__u32 c = (unsigned char)read[S9_ASKS_SIZE + i];
		__u32 digit = c - '0' < 10 ? c - '0' :
		    (c | 0x20) - 'a' < 6 ? (c | 0x20) - 'a' + 10 : 16;

		if (digit == 16)
			break;
		number = number << 4 | digit;
	}
	*cookie = number;
	return 1;
}

/* Puts a walked stack into the call.  The number of its frames; 0: it has more
 * than fit. */
static __always_inline int
s9_answer(struct task_struct *p, struct s9_scratch *s,
    struct stack9_bpf_call *call)
{
	struct stack9_bpf_stack *to = &call->stack;
	const struct s9_stacks *of = &s->e.stacks;
	__u32 depth = of->user, kernel = of->kernel;

	asm volatile("" : "+r"(depth), "+r"(kernel));
	if (depth == 0 || depth > STACK9_BPF_FRAMES || kernel > cfg.frames)
		return 0;
	bpf_probe_read_kernel(to->pcs, depth * 8, s->e.pcs + kernel);
	s9_fill_head(p, &s->e.head, S9_EVENT, 0);
	to->magic = STACK9_BPF_MAGIC;
	to->depth = depth;
	to->cookie = call->cookie;
	to->when_ns = s->e.head.when_ns;
	to->start_ns = s->e.head.start_ns;
	to->tid = s->e.head.tid;
	to->pid = s->e.head.pid;
	to->cpu = s->e.head.cpu;
	to->host_tid = s->e.head.host_tid;
	__builtin_memcpy(to->comm, s->e.head.comm, sizeof(to->comm));
	__builtin_memcpy(to->known, &of->space, sizeof(of->space));
	to->known[2] = (__u64)of->user_error;
	return (int)depth;
}

/* Returns why a task has no user side; 0: it has one. */
static __always_inline int
s9_no_side(const struct s9_event *e)
{
	return e->stacks.user_error >= 0 ? 0 : e->stacks.user_error;
}

/* Puts or counts the event in the scratch.  0, or that it is lost. */
static __always_inline int
s9_send(struct task_struct *p, struct s9_scratch *s, __u32 number,
    enum s9_side user, __u64 cookie, const void *regs)
{
	int lost;

	if (!cfg.stream && (!cfg.copy || (cfg.walk &&
	    user == S9_SIDE_KNOWN))) {
		s9_count_scratch(number, 0);
		return STACK9_BPF_SENT;
	}
	s9_fill_head(p, &s->e.head, S9_EVENT, 0);
	s->e.head.serial = cookie;
	if (user == S9_SIDE_COPIED) {
		s->e.head.what = S9_EVENT_COPY;
		s->e.head.walk = s->walk.how;
		lost = s9_put_copy(p, &s->e, number, regs);
	} else {
		lost = s9_put(&s->e.head, s9_event_size(&s->e));
	}
	if (!lost)
		return STACK9_BPF_SENT;
	S9_COUNT_UP(no_room);
	return STACK9_BPF_FULL;
}

/* call: NULL if there is none, and the sample is sent. */
static __always_inline int
s9_lend_level(void *ctx, struct task_struct *p, struct s9_scratch *s,
    __u32 number, struct stack9_bpf_call *call, __u64 cookie, const void *regs)
{
	enum s9_side user;
	int got;

	s->e.slot = s->walk.serial = 0;
	s9_walk(ctx, p, &s->e);
	user = s9_take_user_side(p, s, &s->e, number, regs);
	if (user == S9_SIDE_COUNTED)
		return STACK9_BPF_SENT;
	if (call == NULL || (call->flags & STACK9_BPF_SEND) || !cfg.stream)
		return s9_send(p, s, number, user, cookie, regs);
	if (user == S9_SIDE_KNOWN) {
		got = s9_no_side(&s->e);
		if (got == 0)
			got = s9_answer(p, s, call);
		if (got != 0) {
			s->answered++;
			return got;
		}
	}
	return s9_send(p, s, number, user, cookie, regs);
}

#endif /* STACK9_EVENT_LENT_H */
