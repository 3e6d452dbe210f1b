/*
 * Puts return addresses back into a copied stack.
 *
 * A probe at a function's return (uretprobe) of any program writes the address
 * of the kernel's trampoline over the return address.  The kernel keeps what
 * was there in a list of the thread, the innermost function first, with the
 * place of each.  A function that was left by longjmp(3) stays in the list for
 * a while, so the word has to be the trampoline's address.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_EVENT_RETURNS_H
#define STACK9_EVENT_RETURNS_H

#include "event_maps.h"

/* So many are put back: the kernel's own walk puts back all. */
#define	S9_RETURNS	8

#pragma clang attribute push(__attribute__((preserve_access_index)),	\
    apply_to = record)

struct return_instance {
	unsigned long		 stack;		/* x86: the place */
	unsigned long		 orig_ret_vaddr;
	struct return_instance	*next;
};

struct uprobe_task {
	struct return_instance	*return_instances;
};

struct xol_area {
	unsigned long		 vaddr;		/* the trampoline's */
};

struct mm_struct___probed {
	struct {
		struct xol_area	*xol_area;
	} uprobes_state;
};

struct task_struct___probed {
	struct mm_struct___probed	*mm;
	struct uprobe_task	*utask;
};

#pragma clang attribute pop

/* True if probes at returns may have written into the stack of p. */
static __always_inline int
s9_has_returns(struct task_struct *task)
{
	struct task_struct___probed *p = (void *)task;

	if (!bpf_core_field_exists(p->utask))
		return 0;
	return (cfg.few ? BPF_CORE_READ(p, utask) : S9_GET(p, utask)) != NULL;
}

static __always_inline void
s9_put_back(struct s9_event_copy *c)
{
	struct task_struct___probed *p = (void *)bpf_get_current_task();
	struct uprobe_task *t;
	struct return_instance *r;
	__u64 trampoline, word;
	int i;

	if (!bpf_core_field_exists(p->utask))
		return;
	t = BPF_CORE_READ(p, utask);
	if (t == NULL)
		return;
	r = BPF_CORE_READ(t, return_instances);
	trampoline = BPF_CORE_READ(p, mm, uprobes_state.xol_area, vaddr);
	for (i = 0; i < S9_RETURNS && r != NULL; i++) {
		__u64 at = BPF_CORE_READ(r, stack) - c->user.from;

		if (at <= S9_COPY_ROOM - sizeof(word) && at < c->user.bytes &&
		    bpf_probe_read_kernel(&word, sizeof(word),
		    c->bytes + at) == 0 && word == trampoline)
			bpf_probe_read_kernel(c->bytes + at, sizeof(word),
			    &r->orig_ret_vaddr);
		r = BPF_CORE_READ(r, next);
	}
}

#endif /* STACK9_EVENT_RETURNS_H */
