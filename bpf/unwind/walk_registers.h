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

/* Copies the registers that code uses, in the order of struct pt_regs: r15,
 * r14, r13, r12, bp, bx, r11 ... orig_ax.  Returns sp; 0: it is not known. */
static __always_inline __u64
s9_copy_registers(struct task_struct *p, const void *regs, __u64 to[16])
{
	struct pt_regs___x86_64 *r = (void *)bpf_task_pt_regs(p);
	const char *from = regs == NULL ? (const char *)r : regs;
	__u64 sp = 0;

	if (!bpf_core_field_exists(r->ip) ||
	    bpf_probe_read_kernel(to, 128, from) != 0 ||
	    bpf_probe_read_kernel(&sp, 8, from +
	    bpf_core_field_offset(struct pt_regs___x86_64, sp)) != 0)
		return 0;
	return sp;
}

#endif /* STACK9_LEARNED_WALK_REGISTERS_H */
