/*
 * Samples what threads wait for, by an iterator over tasks: the registers of
 * their system calls, and the kernel lock that a thread waits for with its
 * owner.  The kernel notes the lock since Linux 6.16
 * (CONFIG_DETECT_HUNG_TASK_BLOCKER), and the rt-mutex always.
 *
 * The program has no map: a pass shows all threads, and the reader picks.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#define	S9_DIRECT
#define	S9_CLOCKS_BY_HELPER
#include "bpf/sample.h"
#include "bpf/pid_ns.h"
#include "bpf/times.h"
#include "bpf/wait_record.h"

#define	S9_PF_KTHREAD	0x00200000	/* include/linux/sched.h */

#pragma clang attribute push(__attribute__((preserve_access_index)),	\
    apply_to = record)

struct s9_word {
	long	counter;
};

struct mutex___wait {
	struct s9_word	owner;
};

struct rw_semaphore___wait {
	struct s9_word	owner;
};

struct semaphore___wait {
	unsigned long	last_holder;
};

struct rt_mutex_base___wait {
	struct task_struct	*owner;
};

struct rt_mutex_waiter___wait {
	struct rt_mutex_base___wait	*lock;
};

struct task_struct___wait {
	unsigned long			 blocker;
	struct rt_mutex_waiter___wait	*pi_blocked_on;
	struct task_struct		*parent;
	struct task_struct		*real_parent;
	unsigned int			 ptrace;
};

#pragma clang attribute pop

/* A task that the verifier does not know. */
static __always_inline void
sample_other(struct task_struct *p, struct s9_other *o, __u32 level, __u64 ns)
{
	struct signal_struct *shared = BPF_CORE_READ(p, signal);
	struct pid *tgid;

	o->start_ns = BPF_CORE_READ(p, start_boottime);
	if (level == 0) {
		o->tid = BPF_CORE_READ(p, pid);
		o->pid = BPF_CORE_READ(p, tgid);
		return;
	}
	o->tid = s9_number(BPF_CORE_READ(p, thread_pid), level, (void *)ns);
	bpf_core_read(&tgid, sizeof(tgid), &shared->pids[S9_PIDTYPE_TGID]);
	o->pid = s9_number(tgid, level, (void *)ns);
}

/* The word of a lock that names its owner. */
static __always_inline __u64
word_of(__u64 lock, __u32 kind)
{
	struct mutex___wait *m = (void *)lock;
	struct semaphore___wait *s = (void *)lock;
	struct rw_semaphore___wait *rw = (void *)lock;
	struct rt_mutex_base___wait *rt = (void *)lock;

	switch (kind) {
	case S9_LOCK_MUTEX:
		return bpf_core_field_exists(m->owner.counter) ?
		    (__u64)BPF_CORE_READ(m, owner.counter) : 0;
	case S9_LOCK_SEMAPHORE:
		return bpf_core_field_exists(s->last_holder) ?
		    BPF_CORE_READ(s, last_holder) : 0;
	case S9_LOCK_RT_MUTEX:
		return (__u64)BPF_CORE_READ(rt, owner);
	default:
		return bpf_core_field_exists(rw->owner.counter) ?
		    (__u64)BPF_CORE_READ(rw, owner.counter) : 0;
	}
}

static __always_inline void
sample_lock(struct task_struct *p, struct s9_wait_rest *w, __u32 level,
    __u64 ns)
{
	struct task_struct___wait *t = (void *)p;
	struct rt_mutex_waiter___wait *rt;
	__u64 blocker = 0;

	if (bpf_core_field_exists(t->blocker))
		blocker = BPF_CORE_READ(t, blocker);
	w->lock_kind = blocker & 3;
	w->lock = blocker & ~3ull;
	if (w->lock == 0 && bpf_core_field_exists(t->pi_blocked_on)) {
		rt = BPF_CORE_READ(t, pi_blocked_on);
		if (rt != NULL) {
			w->lock_kind = S9_LOCK_RT_MUTEX;
			w->lock = (__u64)BPF_CORE_READ(rt, lock);
		}
	}
	if (w->lock == 0)
		return;
	w->holder_word = word_of(w->lock, w->lock_kind);
	/* rwsem's lowest bit: readers hold it, and the word names one that
	 * held it last. */
	if ((w->holder_word & ~7ull) != 0 && !(w->lock_kind >= S9_LOCK_READ &&
	    w->lock_kind <= S9_LOCK_WRITE && (w->holder_word & 1)))
		sample_other((void *)(w->holder_word & ~7ull), &w->holder,
		    level, ns);
}

/*
 * Writes the registers of p's entry, zeros if there are none.  They have no
 * room on the stack beside the rest of the record.
 *
 * The reader of the records takes no registers and no lock of a thread that
 * runs.  They are read all the same: a branch for it would have the verifier go
 * through the rest of the program twice, 0.5 ms of the load.
 */
static __always_inline __u32
write_regs(struct task_struct *p, struct seq_file *seq)
{
	__u32 size = bpf_core_type_size(struct pt_regs), has_regs = 0;
	__u64 regs[S9_REGS] = {};

	if (!(p->flags & S9_PF_KTHREAD)) {
		if (size > sizeof(regs))
			size = sizeof(regs);
		has_regs = bpf_probe_read_kernel(regs, size,
		    (void *)bpf_task_pt_regs(p)) == 0;
	}
	bpf_seq_write(seq, regs, sizeof(regs));
	return has_regs;
}

/* Writes all but the registers. */
static __always_inline void
write_rest(struct task_struct *p, struct bpf_iter_meta___s9 *meta,
    struct seq_file *seq, struct s9_wait_rest *w, __u32 level, __u64 ns)
{
	struct task_struct___wait *t = (void *)p;

	w->when_ns = bpf_ktime_get_boot_ns();
	if (meta->seq_num == 0)
		w->reader_clock = s9_my_clock();
	w->start_ns = p->start_boottime;
	w->state = s9_state(p);
	w->exit_state = (__u32)p->exit_state;
	w->task_flags = p->flags;
	if (BPF_CORE_READ(t, ptrace) != 0)
		sample_other(BPF_CORE_READ(t, parent), &w->tracer, level, ns);
	sample_lock(p, w, level, ns);
	s9_sample_times(p, &w->times);
	w->on_cpu_after = s9_on_cpu(p);
	w->switches_after = s9_switches(p);
	bpf_seq_write(seq, w, sizeof(*w));
}

SEC("iter/task")
int
wait(struct bpf_iter__task___s9 *ctx)
{
	struct task_struct *p = ctx->task;
	struct seq_file *seq = ctx->meta->seq;
	__s32 tid, pid;
	__u32 level;
	__u64 ns;

	if (p == NULL)
		return 0;
	s9_my_ns(&level, &ns);
	s9_ids(p, &tid, &pid, level, ns);
	if (tid == 0)
		return 0;
	const __u64 switches = s9_switches(p);
	const __u32 on_cpu = s9_on_cpu(p);
	const __u32 has_regs = write_regs(p, seq);
	struct s9_wait_rest w = {.tid = tid, .pid = pid, .on_cpu = on_cpu,
	    .switches = switches, .has_regs = has_regs};

	write_rest(p, ctx->meta, seq, &w, level, ns);
	return 0;
}

S9_LICENSE;
