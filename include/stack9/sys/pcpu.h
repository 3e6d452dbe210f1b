/*
 * Gives the CPU of the calling thread for code that includes FreeBSD's
 * <sys/pcpu.h>.  The thread may be on another one by then.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_PCPU_H
#define STACK9_SYS_PCPU_H

#include <sys/proc.h>

#define	curcpu			((u_int)stack9_curcpu())
#define	PCPU_GET(member)	STACK9_PCPU_##member##_
#define	STACK9_PCPU_cpuid_	curcpu
#define	STACK9_PCPU_curthread_	curthread

#endif /* STACK9_SYS_PCPU_H */
