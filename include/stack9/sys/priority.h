/*
 * Defines struct priority as struct kinfo_proc has it.  The levels are those of
 * Linux's kernel: from 0, the highest, to 139; from 100 on they are shared.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_PRIORITY_H
#define STACK9_SYS_PRIORITY_H

#include <sys/types.h>

#define	PRI_ITHD	1
#define	PRI_REALTIME	2
#define	PRI_TIMESHARE	3
#define	PRI_IDLE	4
#define	PRI_FIFO_BIT	8
#define	PRI_FIFO	(PRI_FIFO_BIT | PRI_REALTIME)
#define	PRI_BASE(class)	((class) & ~PRI_FIFO_BIT)

#define	PRI_MIN			0
#define	PRI_MIN_REALTIME	0
#define	PRI_MAX_REALTIME	99
#define	PRI_MIN_TIMESHARE	100
#define	PRI_MAX_TIMESHARE	139
#define	PRI_MAX			139
#ifndef PZERO
#define	PZERO			84
#endif
#define	PUSER			PRI_MIN_TIMESHARE

struct priority {
	u_char	pri_class;
	u_char	pri_level;	/* the current one */
	u_char	pri_native;
	u_char	pri_user;
};

#endif /* STACK9_SYS_PRIORITY_H */
