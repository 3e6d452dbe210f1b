/*
 * Takes the user stack of the current task for programs of others.  They come
 * here by a tail call from <stack9/stack9.bpf.h> that says what they ask for,
 * or by a bare one.
 *
 * Rejected for the border: a global function that is linked into the caller's
 * object (the verifier follows the walk for each caller, and all maps are
 * frozen); BPF_PROG_TYPE_EXT (some systems refuse it, and it replaces no
 * function of a program on fentry).
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#define	S9_DIRECT
#define	S9_WALKS
#include "event_copy.h"
#include "event_learned.h"
#include "event_lent.h"
#include "event_names.h"

static __always_inline int
s9_lend_to(void *ctx, struct task_struct *p, struct stack9_bpf_call *call,
    __u64 cookie, const void *regs)
{
	int result = STACK9_BPF_ENDED;
	struct s9_scratch *s;
	__u32 number;

	if (!s9_passes(p) || !s9_within_limit())
		return result;
	s = s9_claim(&number);
	if (s == NULL) {
		s9_count_nested();
		return STACK9_BPF_NESTED;
	}
	if (!s9_is_over()) {
		s->events++;
		result = s9_lend_level(ctx, p, s, number, call, cookie, regs);
	}
	s9_leave(s);
	return result;
}

/* regs: the user's registers, if only the context has them. */
static __always_inline int
s9_lend(void *ctx, const void *regs)
{
	struct task_struct *p = S9_CURRENT();
	struct stack9_bpf_call *call = s9_call_of((__u64)p);
	__u64 cookie;
	int result;

	if (call != NULL) {
		call->taken = 1;
		cookie = call->cookie;
	} else {
		cookie = s9_bare_cookie();
	}
	result = s9_lend_to(ctx, p, call, cookie, regs);
	if (call != NULL)
		call->result = result;
	return 0;
}

SEC("kprobe")
int
lent_kprobe(void *ctx)
{
	return s9_lend(ctx, s9_is_of_user(ctx) ? ctx : NULL);
}

/* It is attached nowhere: bpftool needs a name. */
SEC("raw_tp/sys_enter")
int
lent_raw_tp(void *ctx)
{
	return s9_lend(ctx, NULL);
}

SEC("tracepoint")
int
lent_tp(void *ctx)
{
	return s9_lend(ctx, NULL);
}

SEC("perf_event")
int
lent_perf(void *ctx)
{
	return s9_lend(ctx, NULL);
}

/* Any program may print. */
SEC("raw_tp/bpf_trace_printk")
int
lent_printk(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 cookie;

	if (s9_text_asks((const void *)ctx->args[0], &cookie))
		s9_lend_to(ctx, S9_CURRENT(), NULL, cookie, NULL);
	return 0;
}

/* The process that asks runs this program itself. */
SEC("raw_tp/sys_enter")
int
who_asks(void *ctx)
{
	return s9_report_namespace();
}

#define	S9_IS_HERE(name)						\
	_Static_assert(sizeof(&name) != 0, #name);
S9_PROGRAMS_THAT_LEND(S9_IS_HERE)
S9_MAPS(S9_IS_HERE)
S9_MAPS_OF_THE_BORDER(S9_IS_HERE)

S9_LICENSE;
