/*
 * Adds to glibc's <sys/user.h> the records that procstat(1) reads: struct
 * kinfo_kstack, and the members of struct kinfo_proc that it prints.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#undef PAGE_SHIFT
#undef PAGE_SIZE
#undef PAGE_MASK
#include_next <sys/user.h>
#include "_page.h"

#ifndef STACK9_SYS_USER_H
#define STACK9_SYS_USER_H

#include <sys/types.h>
#include <unistd.h>

#define	KKST_MAXLEN		1024
#define	KKST_STATE_STACKOK	0
#define	KKST_STATE_SWAPPED	1	/* never on Linux */
#define	KKST_STATE_RUNNING	2

struct kinfo_kstack {
	lwpid_t	kkst_tid;
	int	kkst_state;
	char	kkst_trace[KKST_MAXLEN];
	int	_kkst_ispare[16];
};

#define	TDNAMLEN	16
#define	COMMLEN		19
#define	OCOMMLEN	TDNAMLEN

struct kinfo_proc {
	int	ki_structsize;
	pid_t	ki_pid;
	lwpid_t	ki_tid;
	int	ki_numthreads;
	char	ki_stat;
	char	ki_comm[COMMLEN + 1];
	char	ki_tdname[TDNAMLEN + 1];
	char	ki_ocomm[OCOMMLEN + 1];
	char	ki_moretdname[COMMLEN - TDNAMLEN + 1];
};

#endif /* STACK9_SYS_USER_H */
