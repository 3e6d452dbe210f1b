/*
 * Records the stacks that lead to events.  Each way in which an event comes has
 * a program; all of them run one body.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef S9_INDIRECT
#define	S9_DIRECT
#ifndef S9_WITHOUT_RULES
#define	S9_WALKS
#endif
#endif
#include "event_copy.h"
#include "event_learned.h"
#include "event_names.h"

static __always_inline __u32
s9_point(void *ctx)
{
	return cfg.cookies ? (__u32)bpf_get_attach_cookie(ctx) : 0;
}

static __always_inline void
s9_handle(void *ctx, struct task_struct *p, struct s9_scratch *s,
    __u32 number, __u32 probe, const void *regs)
{
	enum s9_side user;
	int lost;

	s->e.slot = s->walk.serial = 0;
	s9_walk(ctx, p, &s->e);
	user = s9_take_user_side(p, s, &s->e, number, regs);
	if (user == S9_SIDE_COUNTED)
		return;
	if (!cfg.stream && (!cfg.copy || (cfg.walk &&
	    user == S9_SIDE_KNOWN))) {
		s9_count_scratch(number, probe);
		return;
	}
	s9_fill_head(p, &s->e.head, S9_EVENT, probe);
	if (user == S9_SIDE_COPIED) {
		s->e.head.what = S9_EVENT_COPY;
		s->e.head.walk = s->walk.how;
		lost = s9_put_copy(p, &s->e, number, regs);
	} else {
		lost = s9_put(&s->e.head, s9_event_size(&s->e));
	}
	if (lost)
		S9_COUNT_UP(no_room);
}

/* regs: the user side's registers, if only the context has them. */
static __always_inline int
s9_on_event_of(void *ctx, struct task_struct *p, __u32 probe,
    const void *regs)
{
	struct s9_scratch *s;
	__u32 number;

	if (!s9_passes(p) || !s9_within_limit())
		return 0;
	s = s9_claim(&number);
	if (s == NULL) {
		s9_count_nested();
		return 0;
	}
	if (!s9_is_over()) {
		s->events++;
		s9_handle(ctx, p, s, number, probe, regs);
	}
	s9_leave(s);
	return 0;
}

static __always_inline int
s9_on_event(void *ctx, __u32 probe, const void *regs)
{
	return s9_on_event_of(ctx, S9_CURRENT(), probe, regs);
}

SEC("raw_tp/sys_enter")
int
at_tracepoint(void *ctx)
{
	return s9_on_event(ctx, s9_point(ctx), NULL);
}

#define	S9_TS_COMPAT	0x2	/* arch/x86/include/asm/thread_info.h */
#define	S9_TIF_32BIT	(1UL << 22)	/* the same file of arch/arm64 */

#pragma clang attribute push(__attribute__((preserve_access_index)),	\
    apply_to = record)
struct thread_info___x86 {
	__u32	status;
};
struct task_struct___x86 {
	struct thread_info___x86	thread_info;
};
struct thread_info___arm64 {
	unsigned long	flags;
};
struct task_struct___arm64 {
	struct thread_info___arm64	thread_info;
};
struct pt_regs___x86 {
	unsigned long	orig_ax;
};
struct pt_regs___arm64 {
	int	syscallno;
};
#pragma clang attribute pop

/* A 32-bit program's system calls have other numbers. */
static __always_inline int
s9_is_compat(struct task_struct *p)
{
	struct task_struct___x86 *x86 = (void *)p;
	struct task_struct___arm64 *arm64 = (void *)p;

	if (bpf_core_field_exists(x86->thread_info.status))
		return S9_OF(x86, thread_info.status) & S9_TS_COMPAT;
	return (S9_OF(arm64, thread_info.flags) & S9_TIF_32BIT) != 0;
}

/* 1 and the index of the call's probe; 0: the call is not wanted. */
static __always_inline __u32
s9_wanted_call(long number)
{
	__u32 nr = (__u32)number;
	__u32 *wanted = bpf_map_lookup_elem(&syscalls, &nr);

	return wanted == NULL ? 0 : *wanted;
}

static __always_inline int
s9_on_syscall(void *ctx, long number)
{
	__u32 wanted = s9_wanted_call(number);
	struct task_struct *p;

	if (wanted == 0)
		return 0;
	p = S9_CURRENT();
	return s9_is_compat(p) ? 0 : s9_on_event_of(ctx, p, wanted - 1, NULL);
}

SEC("raw_tp/sys_enter")
int
at_enter(struct bpf_raw_tracepoint_args *ctx)
{
	return s9_on_syscall(ctx, ctx->args[1]);
}

SEC("raw_tp/sys_exit")
int
at_exit(struct bpf_raw_tracepoint_args *ctx)
{
	struct pt_regs___x86 *x86 = (void *)ctx->args[0];
	struct pt_regs___arm64 *arm64 = (void *)ctx->args[0];

	if (bpf_core_field_exists(x86->orig_ax))
		return s9_on_syscall(ctx, BPF_CORE_READ(x86, orig_ax));
	return s9_on_syscall(ctx, BPF_CORE_READ(arm64, syscallno));
}

#ifdef S9_DIRECT
/* The context at the tracepoints raw_syscalls:sys_enter and sys_exit. */
struct s9_any_call {
	__u64	common;
	long	number;
};

/* Runs at the tracepoint of one system call alone, or at that of all system
 * calls, where the kernel lets nothing preempt this program. */
SEC("tracepoint")
int
at_call(struct s9_any_call *ctx)
{
	__u32 wanted = cfg.all_calls ? s9_wanted_call(ctx->number) : 1;
	struct task_struct *p;

	if (wanted == 0)
		return 0;
	p = S9_CURRENT();
	if (cfg.all_calls && s9_is_compat(p))
		return 0;
	return s9_on_event_of(ctx, p, wanted - 1, NULL);
}
#endif

SEC("kprobe")
int
at_function(void *ctx)
{
	return s9_on_event(ctx, s9_point(ctx), NULL);
}

SEC("kprobe")
int
at_user(void *ctx)
{
	return s9_on_event(ctx, s9_point(ctx), ctx);
}

SEC("fentry/bpf_fentry_test1")
int
at_fentry(void *ctx)
{
	return s9_on_event(ctx, 0, NULL);
}

SEC("perf_event")
int
at_sample(void *ctx)
{
	/* An idle CPU is not sampled. */
	if ((__u32)bpf_get_current_pid_tgid() == 0)
		return 0;
	return s9_on_event(ctx, s9_point(ctx), NULL);
}

#include "event_offcpu.h"
#include "event_waking.h"

/* The process that asks runs this program itself. */
SEC("raw_tp/sys_enter")
int
who_asks(void *ctx)
{
	return s9_report_namespace();
}

/* Each name of the lists is that of a program or a map here. */
#define	S9_IS_HERE(name)						\
	_Static_assert(sizeof(&name) != 0, #name);
S9_PROGRAMS_OF_ANY_KERNEL(S9_IS_HERE)
#ifdef S9_DIRECT
S9_PROGRAMS_OF_NEW_KERNELS(S9_IS_HERE)
#endif
S9_MAPS(S9_IS_HERE)

S9_LICENSE;
