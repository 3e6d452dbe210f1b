/*
 * Reads a task's ids as the asking process sees them, in its own pid namespace.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_PID_NS_H
#define STACK9_PID_NS_H

#include "kernel.h"
#include "record.h"

/* struct pid's number in namespace ns of the given level; 0: not in it. */
static __always_inline __s32
s9_number(struct pid *pid, __u32 level, struct pid_namespace *ns)
{
	struct upid u = {};
	const void *at;

	if (pid == NULL || BPF_CORE_READ(pid, level) < level)
		return 0;
	at = (const char *)&pid->numbers[0] +
	    level * bpf_core_type_size(struct upid);
	/* struct upid has had these two members since 2.6.24. */
	if (bpf_probe_read_kernel(&u, sizeof(u), at) != 0 || u.ns != ns)
		return 0;
	return u.nr;
}

/* The asking process's namespace, and its level below the init namespace. */
static __always_inline void
s9_my_ns(__u32 *level, __u64 *ns)
{
	struct task_struct *self = (void *)bpf_get_current_task();
	struct pid *mine = BPF_CORE_READ(self, thread_pid);
	struct upid u = {};

	*level = BPF_CORE_READ(mine, level);
	bpf_probe_read_kernel(&u, sizeof(u), (const char *)&mine->numbers[0] +
	    *level * bpf_core_type_size(struct upid));
	*ns = (__u64)u.ns;
}

/* tid and pid of p in that namespace. */
static __always_inline void
s9_ids(struct task_struct *p, __s32 *tid, __s32 *pid, __u32 level, __u64 ns)
{
	struct signal_struct *shared;
	struct pid *tgid;

	if (level == 0) {	/* the init namespace: everybody is in it */
		*tid = p->pid;
		*pid = p->tgid;
		return;
	}
	*tid = s9_number(BPF_CORE_READ(p, thread_pid), level, (void *)ns);
	/* A helper reads it: for a direct load of a pointer the verifier
	 * searches all names of the kernel's BTF, 0.3 ms and more each time. */
	shared = BPF_CORE_READ(p, signal);
	bpf_core_read(&tgid, sizeof(tgid), &shared->pids[S9_PIDTYPE_TGID]);
	*pid = s9_number(tgid, level, (void *)ns);
}

#endif /* STACK9_PID_NS_H */
