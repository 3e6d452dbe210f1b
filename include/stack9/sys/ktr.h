/*
 * Makes the records of ktr(9).  They go where those of CTRSTACK() go; without
 * KTR defined they do nothing.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_KTR_H
#define STACK9_SYS_KTR_H

#include <stdint.h>
#include <sys/types.h>
#include <sys/ktr_class.h>

#define	KTR_PARMS	6

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Records of other classes are dropped.  It is KTR_ALL unless a program defines
 * its own, or assigns it. */
#if defined(__FreeBSD_version) && __FreeBSD_version < 1000000
extern int	ktr_mask;
#else
extern uint64_t	ktr_mask;
#endif

/* The arguments are as wide as a register; fmt is the kernel's. */
void	stack9_ktr(u_int mask, const char *file, int line, const char *fmt,
	    u_long a1, u_long a2, u_long a3, u_long a4, u_long a5, u_long a6);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef KTR
#define	CTR6(m, fmt, a1, a2, a3, a4, a5, a6) do {			\
	if (KTR_COMPILE & (m))						\
		stack9_ktr((m), __FILE__, __LINE__, fmt,		\
		    (u_long)(a1), (u_long)(a2), (u_long)(a3),		\
		    (u_long)(a4), (u_long)(a5), (u_long)(a6));		\
} while (0)
#else
#define	CTR6(m, fmt, a1, a2, a3, a4, a5, a6)	(void)0
#endif
#define	CTR5(m, fmt, a1, a2, a3, a4, a5)				\
	CTR6(m, fmt, a1, a2, a3, a4, a5, 0)
#define	CTR4(m, fmt, a1, a2, a3, a4)	CTR6(m, fmt, a1, a2, a3, a4, 0, 0)
#define	CTR3(m, fmt, a1, a2, a3)	CTR6(m, fmt, a1, a2, a3, 0, 0, 0)
#define	CTR2(m, fmt, a1, a2)		CTR6(m, fmt, a1, a2, 0, 0, 0, 0)
#define	CTR1(m, fmt, a1)		CTR6(m, fmt, a1, 0, 0, 0, 0, 0)
#define	CTR0(m, fmt)			CTR6(m, fmt, 0, 0, 0, 0, 0, 0)
#define	TR0(fmt)			CTR0(KTR_GEN, fmt)
#define	TR1(fmt, a1)			CTR1(KTR_GEN, fmt, a1)
#define	TR2(fmt, a1, a2)		CTR2(KTR_GEN, fmt, a1, a2)
#define	TR3(fmt, a1, a2, a3)		CTR3(KTR_GEN, fmt, a1, a2, a3)

#endif /* STACK9_SYS_KTR_H */
