/*
 * Gives the calling thread and its CPU for code that includes FreeBSD's
 * <sys/pcpu.h>.  The thread may be on another CPU by then.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_PCPU_H
#define STACK9_SYS_PCPU_H

#include <sys/cdefs.h>
#include <sys/types.h>
#include "_curthread.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A compiler that misses a member prints the name of this structure. */
struct stack9_a_process_has_only_cpuid_and_curthread {
	u_int		 pc_cpuid;
	struct thread	*pc_curthread;
};

static inline struct stack9_a_process_has_only_cpuid_and_curthread
stack9_pcpu(void)
{
	struct stack9_a_process_has_only_cpuid_and_curthread pc;

	pc.pc_cpuid = (u_int)stack9_curcpu();
	pc.pc_curthread = stack9_curthread();
	return (pc);
}

/* These would lie. */
int	stack9_pcpu_set(STACK9_ANY_ARGUMENTS_)
	    STACK9_ABSENT_("a process has no memory of its own on each CPU");

#ifdef __cplusplus
}
#endif

#define	curcpu			((u_int)stack9_curcpu())
#define	PCPU_GET(member)	(stack9_pcpu().pc_##member)
#define	PCPU_SET(member, value)	stack9_pcpu_set(#member, value)
#define	PCPU_ADD(member, value)	stack9_pcpu_set(#member, value)
#define	PCPU_INC(member)	stack9_pcpu_set(#member)
#define	PCPU_PTR(member)	stack9_pcpu_set(#member)

#endif /* STACK9_SYS_PCPU_H */
