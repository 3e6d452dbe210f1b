/*
 * Reads from a task when it came onto a CPU, when it left it, and the clocks of
 * that CPU.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_TIMES_H
#define STACK9_TIMES_H

#include "kernel.h"
#include "state_record.h"

#pragma clang attribute push(__attribute__((preserve_access_index)),	\
    apply_to = record)

struct rq___times {
	__u64	clock;
	__u64	clock_task;
};

/* Each task has one, whatever its class, if groups of tasks can be scheduled
 * (CONFIG_FAIR_GROUP_SCHED). */
struct cfs_rq___times {
	struct rq___times	*rq;
};

struct sched_info___times {
	unsigned long long	last_arrival;
	unsigned long long	last_queued;
};

/* Filled if the sysctl kernel.sched_schedstats is 1. */
struct sched_statistics___times {
	__u64	sleep_start;
	__u64	block_start;
};

struct sched_entity___times {
	__u64				 exec_start;
	struct cfs_rq___times		*cfs_rq;
	/* Before 5.16. */
	struct sched_statistics___times	 statistics;
};

struct task_struct___times {
	struct sched_entity___times	 se;
	struct sched_info___times	 sched_info;
	struct sched_statistics___times	 stats;
};

#pragma clang attribute pop

/*
 * The pointers to tasks are ones that the verifier knows, so that all is read
 * directly: thousands of tasks are read in a pass.  The load is dearer, as
 * pid_ns.h has it: a program that reads few tasks defines S9_CLOCKS_BY_HELPER.
 */
static __always_inline void
s9_sample_clocks(struct task_struct___times *t, struct s9_times *times)
{
	struct rq___times *rq;

	if (!bpf_core_field_exists(t->se.cfs_rq))
		return;
#ifdef S9_CLOCKS_BY_HELPER
	rq = BPF_CORE_READ(t, se.cfs_rq, rq);
	times->clock = BPF_CORE_READ(rq, clock);
	times->clock_task = BPF_CORE_READ(rq, clock_task);
#else
	rq = t->se.cfs_rq->rq;
	times->clock = rq->clock;
	times->clock_task = rq->clock_task;
#endif
}

/* A task sleeps in one of two ways, and waits for a CPU in neither. */
static __always_inline __u64
s9_began(struct task_struct___times *t)
{
	__u64 at = 0;

	if (bpf_core_field_exists(t->sched_info.last_queued))
		at = t->sched_info.last_queued;
	if (at == 0 && bpf_core_field_exists(t->stats.sleep_start)) {
		at = t->stats.sleep_start;
		if (at == 0)
			at = t->stats.block_start;
	} else if (at == 0 &&
	    bpf_core_field_exists(t->se.statistics.sleep_start)) {
		at = t->se.statistics.sleep_start;
		if (at == 0)
			at = t->se.statistics.block_start;
	}
	return at;
}

static __always_inline void
s9_sample_times(struct task_struct *p, struct s9_times *times)
{
	struct task_struct___times *t = (void *)p;

	if (bpf_core_field_exists(t->sched_info.last_arrival))
		times->arrived = t->sched_info.last_arrival;
	times->began = s9_began(t);
	if (bpf_core_field_exists(t->se.exec_start))
		times->left = t->se.exec_start;
	s9_sample_clocks(t, times);
}

/* The first clock of the reader's CPU. */
static __always_inline __u64
s9_my_clock(void)
{
	struct task_struct___times *t = (void *)bpf_get_current_task();

	return bpf_core_field_exists(t->se.cfs_rq) ?
	    BPF_CORE_READ(t, se.cfs_rq, rq, clock) : 0;
}

#endif /* STACK9_TIMES_H */
