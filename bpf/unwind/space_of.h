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

/* few: for few calls.  For each direct load of a pointer the verifier searches
 * all names of the kernel's BTF up to four times: this took 1.3 ms until 6.18.
 * A helper takes 10 ns each time. */
static __always_inline void
s9_space_of(struct task_struct *p, struct s9_space *space, int few)
{
	struct task_struct___space *t = (void *)p;

#ifdef S9_DIRECT
	if (!few)
		space->start_ns = t->group_leader->start_boottime;
	else
#endif
		space->start_ns = BPF_CORE_READ(t, group_leader,
		    start_boottime);
	space->pid = S9_GET(p, tgid);
	space->execs = (__u32)S9_GET(t, self_exec_id);
}

#endif /* STACK9_LEARNED_SPACE_OF_H */
