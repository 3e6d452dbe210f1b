/*
 * Identifies the address space of a thread.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_SPACE_OF_H
#define STACK9_LEARNED_SPACE_OF_H

#include "layout.h"
#include "bpf/sample.h"

#pragma clang attribute push(__attribute__((preserve_access_index)),	\
    apply_to = record)

struct task_struct___space {
	struct task_struct___space	*group_leader;
	unsigned long long		 start_boottime;
	unsigned long long		 self_exec_id;
};

#pragma clang attribute pop

static __always_inline void
s9_space_of(struct task_struct *p, struct s9_space *space)
{
	struct task_struct___space *t = (void *)p;

#ifdef S9_DIRECT
	space->start_ns = t->group_leader->start_boottime;
#else
	space->start_ns = BPF_CORE_READ(t, group_leader, start_boottime);
#endif
	space->pid = S9_GET(p, tgid);
	space->execs = (__u32)S9_GET(t, self_exec_id);
}

#endif /* STACK9_LEARNED_SPACE_OF_H */
