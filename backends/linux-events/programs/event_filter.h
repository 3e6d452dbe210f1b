/*
 * Finds which thread an event is of, and whether the event is asked for.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_FILTER_H
#define STACK9_EVENT_FILTER_H

#include "event_maps.h"
#include "bpf/unwind/space_of.h"
#include "bpf/pid_ns.h"

#define	S9_PF_KTHREAD	0x00200000	/* include/linux/sched.h */

#pragma clang attribute push(__attribute__((preserve_access_index)),	\
    apply_to = record)

/* The members that only events need, beside those of kernel.h. */
struct sched_entity {
	unsigned long long	sum_exec_runtime;
	unsigned long long	prev_sum_exec_runtime;
};

struct task_struct___event {
	struct sched_entity	se;
};

#pragma clang attribute pop

/* From 5.11 on there is a pointer that the verifier knows. */
#ifdef S9_DIRECT
#define	S9_CURRENT()	bpf_get_current_task_btf()
#define	S9_OF(p, a)	((p)->a)
#else
#define	S9_CURRENT()	((struct task_struct *)bpf_get_current_task())
#define	S9_OF(p, a)	BPF_CORE_READ(p, a)
#endif

struct s9_pair {
	__s32	tid, pid;
};

static __noinline void
s9_ids_in_ns(struct task_struct *p, struct s9_pair *ids)
{
	__u32 zero = 0;
	struct s9_ns *mine = bpf_map_lookup_elem(&my_ns, &zero);

	if (mine != NULL)
		s9_ids(p, &ids->tid, &ids->pid, mine->level, mine->ns);
}

/* tid and pid as the asking process sees them; 0: it sees no such thread. */
static __always_inline struct s9_pair
s9_seen_ids(struct task_struct *p)
{
	struct s9_pair ids = {S9_GET(p, pid), S9_GET(p, tgid)};

	if (!cfg.init_ns)
		s9_ids_in_ns(p, &ids);
	return ids;
}

/* Keeps the pid namespace of the process that runs this. */
static __always_inline int
s9_report_namespace(void)
{
	__u32 zero = 0;
	struct s9_ns *mine = bpf_map_lookup_elem(&my_ns, &zero);

	if (mine != NULL)
		s9_my_ns(&mine->level, &mine->ns);
	return 0;
}

static __always_inline int
s9_is_named(struct task_struct *p)
{
	char comm[16] = {};

	bpf_core_read(comm, sizeof(comm), &p->comm);
	for (int i = 0; i < 16; i++) {
		if (comm[i] != cfg.comm[i])
			return 0;
		if (comm[i] == '\0')
			return 1;
	}
	return 1;
}

static __always_inline int
s9_passes(struct task_struct *p)
{
	struct s9_pair ids;

	if (cfg.cpu >= 0 && bpf_get_smp_processor_id() != (__u32)cfg.cpu)
		return 0;
	if (cfg.pid != 0 || cfg.tid != 0 || cfg.not_pid != 0) {
		ids = s9_seen_ids(p);
		if ((cfg.not_pid != 0 && (ids.pid == cfg.not_pid ||
		    ids.pid == cfg.not_reader)) ||
		    (cfg.pid != 0 && ids.pid != cfg.pid) ||
		    (cfg.tid != 0 && ids.tid != cfg.tid))
			return 0;
	}
	if (cfg.by_cgroup &&
	    bpf_current_task_under_cgroup(&cgroups, 0) != 1)
		return 0;
	return !cfg.by_comm || s9_is_named(p);
}

/* True if the limit is not reached yet, or there is none. */
static __always_inline int
s9_within_limit(void)
{
	struct s9_control_word *c;

	if (cfg.limit == 0)
		return 1;
	c = s9_word();
	if (c == NULL || c->passed >= cfg.limit)
		return 0;
#ifdef S9_INDIRECT
	__sync_fetch_and_add(&c->passed, 1);
	return 1;	/* at worst one event too many for each CPU */
#else
	return __sync_fetch_and_add(&c->passed, 1) < cfg.limit;
#endif
}

#endif /* STACK9_EVENT_FILTER_H */
