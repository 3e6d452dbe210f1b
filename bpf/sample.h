/*
 * Samples one thread: its identity, whether it ran meanwhile, and its kernel
 * stack.  All programs share these functions.
 *
 * A stack that is read while its thread runs is torn, and nothing in the stack
 * shows it.  So on_cpu and the switch counts are read before and after the
 * stack.  The scheduler sets on_cpu before a thread runs and counts the switch
 * before it stops (kernel/sched/core.c), so a thread that ran in between shows.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_SAMPLE_H
#define STACK9_SAMPLE_H

#include "kernel.h"
#include "record.h"

/*
 * A program whose task pointers the verifier knows defines S9_DIRECT and
 * reads through them.  Other programs call a helper, at 20 ns a field.
 */
#ifdef S9_DIRECT
#define	S9_GET(p, field)	((p)->field)
#else
#define	S9_GET(p, field)	BPF_CORE_READ(p, field)
#endif

#define	S9_EAGAIN	11

/*
 * A program that no kernel before 5.16 can load defines S9_SINCE_5_16.  It does
 * not look for what older kernels have elsewhere, at 4 us of its load a member.
 */

static __always_inline __u32
s9_state(struct task_struct *p)
{
#ifdef S9_SINCE_5_16
	return S9_GET(p, __state);
#else
	struct task_struct___old *old = (void *)p;

	if (bpf_core_field_exists(p->__state))
		return S9_GET(p, __state);
	return (__u32)BPF_CORE_READ(old, state);
#endif
}

static __always_inline __s32
s9_cpu(struct task_struct *p)
{
#ifdef S9_SINCE_5_16
	return (__s32)S9_GET(p, thread_info.cpu);
#else
	struct task_struct___old *old = (void *)p;

	if (bpf_core_field_exists(p->thread_info.cpu))
		return (__s32)S9_GET(p, thread_info.cpu);
	return (__s32)BPF_CORE_READ(old, cpu);
#endif
}

static __always_inline __u32
s9_on_cpu(struct task_struct *p)
{
#ifdef S9_DIRECT
	return p->on_cpu;	/* unsigned: libbpf narrows the load */
#else
	__u32 on = 0;

	/* Its size differs between kernels: reading 4 bytes of a 1-byte
	 * field would bring its neighbours along. */
	bpf_core_read(&on, bpf_core_field_size(p->on_cpu), &p->on_cpu);
	return on;
#endif
}

static __always_inline __u64
s9_switches(struct task_struct *p)
{
	return S9_GET(p, nvcsw) + S9_GET(p, nivcsw);
}

/* Reads all but the stack.  The program sets tid and pid. */
static __always_inline void
s9_sample_task(struct task_struct *p, struct s9_record *r)
{
	r->when_ns = bpf_ktime_get_boot_ns();
	r->start_ns = S9_GET(p, start_boottime);
	r->host_tid = S9_GET(p, pid);
	r->host_pid = S9_GET(p, tgid);
	r->cpu = s9_cpu(p);
	r->state = s9_state(p);
	r->exit_state = (__u32)S9_GET(p, exit_state);
	r->task_flags = S9_GET(p, flags);
	r->is_newest = 0;
#ifdef S9_DIRECT
	((__u64 *)r->comm)[0] = *(__u64 *)&p->comm[0];
	((__u64 *)r->comm)[1] = *(__u64 *)&p->comm[8];
#else
	bpf_core_read(r->comm, sizeof(r->comm), &p->comm);
#endif
}

/* True if p is the last one in its process's list of threads: the list is in
 * the order of births.  Helpers read it, as in pid_ns.h. */
static __always_inline __u32
s9_is_newest(struct task_struct *p)
{
	struct signal_struct *shared = BPF_CORE_READ(p, signal);
	struct list_head *next = BPF_CORE_READ(p, thread_node.next);

	return (const char *)next == (const char *)shared +
	    bpf_core_field_offset(shared->thread_head);
}

#ifdef S9_DIRECT
/* The switch counts of the reader.  From 5.11 on the verifier knows a pointer
 * to the current task. */
static __always_inline __u64
s9_my_switches(void)
{
#ifdef S9_SINCE_5_16
	return s9_switches(bpf_get_current_task_btf());
#else
	struct task_struct *me;

	if (bpf_core_enum_value_exists(enum bpf_func_id,
	    BPF_FUNC_get_current_task_btf))
		return s9_switches(bpf_get_current_task_btf());
	me = (void *)bpf_get_current_task();
	return BPF_CORE_READ(me, nvcsw) + BPF_CORE_READ(me, nivcsw);
#endif
}

static __always_inline void
s9_sample_after(struct task_struct *p, struct s9_record *r)
{
	r->on_cpu_after = s9_on_cpu(p);
	r->switches_after = s9_switches(p);
}

/*
 * Samples the kernel stack of p.  Before and after, it reads whether p runs,
 * and whether the reader was preempted.  The thread that preempted it may have
 * taken stacks too.  The kernel's buffer is per CPU, and would then hold that
 * thread's data (CVE-2026-89580; capture_lock.h keeps only the readers of this
 * process apart).
 */
static __always_inline void
s9_sample_kernel_stack(struct task_struct *p, struct s9_record *r)
{
	__u64 mine = s9_my_switches();

	r->switches = s9_switches(p);
	r->on_cpu = s9_on_cpu(p);
	/* The stack of a running thread is never right (x86 gives no frame,
	 * arm64 those of its last sleep), so it is not walked. */
	r->bytes = r->on_cpu ? 0 :
	    (__s32)bpf_get_task_stack(p, r->pcs, sizeof(r->pcs), 0);
	if (r->bytes > 0 && s9_my_switches() != mine)
		r->bytes = -S9_EAGAIN;
	s9_sample_after(p, r);
}
#endif

/* Samples the current thread without its stack.  It cannot run meanwhile. */
static __always_inline void
s9_sample_current(struct s9_record *r)
{
#ifdef S9_DIRECT
	struct task_struct *p = bpf_get_current_task_btf();
#else
	struct task_struct *p = (void *)bpf_get_current_task();
#endif

	s9_sample_task(p, r);
	r->tid = r->pid = 0;
	r->switches = r->switches_after = s9_switches(p);
	r->on_cpu = r->on_cpu_after = 1;
	r->bytes = 0;
}

/* Samples the current thread and the stack in the program's context. */
static __always_inline void
s9_sample_current_stack(void *ctx, struct s9_record *r)
{
	s9_sample_current(r);
	r->bytes = (__s32)bpf_get_stack(ctx, r->pcs, sizeof(r->pcs), 0);
}

#endif /* STACK9_SAMPLE_H */
