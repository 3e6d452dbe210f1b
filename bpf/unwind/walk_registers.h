/*
 * Takes the registers with which a walk begins.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_LEARNED_WALK_REGISTERS_H
#define STACK9_LEARNED_WALK_REGISTERS_H

#include "kernel_types.h"
#include "layout.h"

#define	S9_USER_CS	0x33	/* arch/x86/include/asm/segment.h */

/* regs: the registers, if only the context has them. */
static __always_inline void
s9_take_registers(struct task_struct *p, struct s9_walker *w, const void *regs)
{
	struct pt_regs___x86_64 *r = (void *)bpf_task_pt_regs(p);

	if (!bpf_core_field_exists(r->ip))
		return;
	w->cs = r->cs;
	if (regs == NULL) {
		w->pc = r->ip;
		w->sp = r->sp;
		w->fp = r->bp;
		return;
	}
	bpf_probe_read_kernel(&w->pc, 8, (const char *)regs +
	    bpf_core_field_offset(struct pt_regs___x86_64, ip));
	bpf_probe_read_kernel(&w->sp, 8, (const char *)regs +
	    bpf_core_field_offset(struct pt_regs___x86_64, sp));
	bpf_probe_read_kernel(&w->fp, 8, (const char *)regs +
	    bpf_core_field_offset(struct pt_regs___x86_64, bp));
}

#endif /* STACK9_LEARNED_WALK_REGISTERS_H */
