/*
 * Gives what portable kernel code takes from FreeBSD's <sys/sched.h>.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_SCHED_H
#define STACK9_SYS_SCHED_H

#include <sys/cdefs.h>

/* A thread may move to another CPU at any time; a program that cares uses
 * sched_setaffinity(2). */
#define	sched_pin()		do { } while (0)
#define	sched_unpin()		do { } while (0)

#ifdef __cplusplus
extern "C" {
#endif
/* These would lie. */
int	sched_bind(STACK9_ANY_ARGUMENTS_)
	    STACK9_ABSENT_("stack9 binds no thread: use sched_setaffinity(2)");
int	sched_pctcpu(STACK9_ANY_ARGUMENTS_)
	    STACK9_ABSENT_("stack9 has no CPU shares: read /proc/PID/stat");
#ifdef __cplusplus
}
#endif

#endif /* STACK9_SYS_SCHED_H */
