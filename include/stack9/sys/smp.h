/*
 * Counts the CPUs for code that includes FreeBSD's <sys/smp.h>.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_SMP_H
#define STACK9_SYS_SMP_H

#include <sys/cdefs.h>
#include <sys/param.h>

#define	mp_ncpus		((int)sysconf(_SC_NPROCESSORS_ONLN))
#define	mp_maxid		((u_int)sysconf(_SC_NPROCESSORS_CONF) - 1)
#define	smp_started		1
#define	smp_cpus		mp_ncpus
#define	CPU_ABSENT(cpu)		0	/* one that is off line counts */
#define	CPU_FOREACH(i)							\
	for ((i) = 0; (u_int)(i) <= mp_maxid; (i)++)
#define	CPU_FIRST()		0

#ifdef __cplusplus
extern "C" {
#endif
/* This would lie. */
int	smp_rendezvous(STACK9_ANY_ARGUMENTS_)
	    STACK9_ABSENT_("a process cannot run code on every CPU");
#ifdef __cplusplus
}
#endif

#endif /* STACK9_SYS_SMP_H */
