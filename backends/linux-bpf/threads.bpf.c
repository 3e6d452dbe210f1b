/*
 * Reports of each thread of one process what the program "state" says.  It goes
 * along the kernel's list of these threads (bpf_iter_task_new(), Linux 6.7),
 * where a pass of a task iterator looks up each of them by its number, and so
 * takes half the time.
 *
 * The tids are those of the init pid namespace.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#define	S9_DIRECT
#include "bpf/sample.h"
#include "bpf/state_record.h"
#include "bpf/times.h"

/* include/uapi/linux/bpf.h and kernel/bpf/task_iter.c */
struct bpf_iter_task___s9 {
	__u64	opaque[3];
} __attribute__((aligned(8)));

#define	S9_PROC_THREADS	2	/* BPF_TASK_ITER_PROC_THREADS */

extern struct task_struct *bpf_task_from_pid(__s32 pid) __ksym;
extern void bpf_task_release(struct task_struct *p) __ksym;
extern int bpf_iter_task_new(struct bpf_iter_task___s9 *it,
    struct task_struct *p, unsigned int flags) __ksym;
extern struct task_struct *bpf_iter_task_next(
    struct bpf_iter_task___s9 *it) __ksym;
extern void bpf_iter_task_destroy(struct bpf_iter_task___s9 *it) __ksym;
extern void bpf_rcu_read_lock(void) __ksym;
extern void bpf_rcu_read_unlock(void) __ksym;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, S9_MOST_THREADS);
	__type(key, __u32);
	__type(value, struct s9_state);
} seen SEC(".maps");

static __always_inline void
fill(struct task_struct *p, struct s9_state *s, __u64 now)
{
	__builtin_memset(&s->times, 0, sizeof(s->times));
	s->when_ns = now;
	s->reader_clock = 0;
	s->start_ns = p->start_boottime;
	s->switches = s9_switches(p);
	s->tid = p->pid;
	s->pid = p->tgid;
	s->state = s9_state(p);
	s->exit_state = (__u32)p->exit_state;
	s->on_cpu = s9_on_cpu(p);
	s->cpu = s9_cpu(p);
	s9_sample_times(p, &s->times);
	bpf_core_read(s->comm, sizeof(s->comm), &p->comm);
}

SEC("syscall")
int
threads(struct s9_threads *ctx)
{
	struct task_struct *first = bpf_task_from_pid(ctx->pid), *p;
	struct bpf_iter_task___s9 it;
	struct s9_state *s;
	__u64 now = 0;
	__u32 n = 0;

	if (first == NULL) {
		ctx->count = -3; /* ESRCH */
		return 0;
	}
	bpf_rcu_read_lock();
	bpf_iter_task_new(&it, first, S9_PROC_THREADS);
	while ((p = bpf_iter_task_next(&it)) != NULL) {
		s = bpf_map_lookup_elem(&seen, &n);
		if (s == NULL)
			break;
		/* The clock takes a tenth of the time. */
		if ((n & 15) == 0)
			now = bpf_ktime_get_boot_ns();
		fill(p, s, now);
		if (n == 0)
			s->reader_clock = s9_my_clock();
		n++;
	}
	bpf_iter_task_destroy(&it);
	bpf_rcu_read_unlock();
	bpf_task_release(first);
	ctx->count = p != NULL ? -7 : (__s32)n; /* E2BIG */
	return 0;
}

S9_LICENSE;
