/*
 * Adds to glibc's <sys/user.h> the records that procstat(1) reads: struct
 * kinfo_kstack and struct kinfo_proc.
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

#include <signal.h>
#include <stdint.h>
#include <sys/param.h>
#include <sys/priority.h>
#include <sys/proc.h>
#include <sys/resource.h>
#include <sys/time.h>
#include "types.h"
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
#define	WMESGLEN	8
#define	LOCKNAMELEN	8
#define	LOGNAMELEN	17
#define	LOGINCLASSLEN	17
#define	KI_EMULNAMELEN	16
#define	KI_NGROUPS	16

#define	KI_LOCKBLOCK	0x00000001	/* never: a lock is a sleep here */
#define	KI_CTTY		0x00000002	/* has a terminal */
#define	KI_SLEADER	0x00000004	/* leads its session */

#define	KI_CRF_CAPABILITY_MODE	0x00000001
#define	KI_CRF_GRP_OVERFLOW	0x80000000	/* is in more groups */

/* The members have the names and meanings of FreeBSD's; the size is another.
 * Those for which Linux has no number are 0. */
struct kinfo_proc {
	int	ki_structsize;
	int	ki_layout;
	struct pargs	*ki_args;	/* NULL, as all of these */
	struct proc	*ki_paddr;
	struct user	*ki_addr;
	struct vnode	*ki_tracep;
	struct vnode	*ki_textvp;
	struct filedesc	*ki_fd;
	struct vmspace	*ki_vmspace;
	const void	*ki_wchan;
	struct pcb	*ki_pcb;
	void	*ki_kstack;
	void	*ki_udata;
	struct thread	*ki_tdaddr;
	pid_t	ki_pid;
	pid_t	ki_ppid;
	pid_t	ki_pgid;
	pid_t	ki_tpgid;
	pid_t	ki_sid;
	pid_t	ki_tsid;
	short	ki_jobc;
	uint32_t ki_tdev_freebsd11;
	uint64_t ki_tdev;	/* of the terminal; all ones: none */
	sigset_t ki_siglist;
	sigset_t ki_sigmask;
	sigset_t ki_sigignore;
	sigset_t ki_sigcatch;
	uid_t	ki_uid;		/* the effective one */
	uid_t	ki_ruid;
	uid_t	ki_svuid;
	gid_t	ki_rgid;
	gid_t	ki_svgid;
	short	ki_ngroups;
	gid_t	ki_groups[KI_NGROUPS];	/* the effective one is the first */
	vm_size_t ki_size;	/* bytes of address space */
	segsz_t	ki_rssize;	/* pages in memory */
	segsz_t	ki_swrss;
	segsz_t	ki_tsize;
	segsz_t	ki_dsize;
	segsz_t	ki_ssize;
	u_short	ki_xstat;
	u_short	ki_acflag;
	fixpt_t	ki_pctcpu;
	u_int	ki_estcpu;
	u_int	ki_slptime;
	u_int	ki_swtime;	/* seconds since the start */
	u_int	ki_cow;
	uint64_t ki_runtime;	/* us on CPUs */
	struct timeval	ki_start;	/* since 1970 */
	struct timeval	ki_childtime;
	long	ki_flag;	/* P_* */
	long	ki_kiflag;	/* KI_* */
	long	ki_sflag;
	long	ki_tdflags;	/* TDF_* */
	int	ki_traceflag;
	char	ki_stat;	/* SRUN and its like */
	signed char	ki_nice;
	char	ki_lock;
	char	ki_rqindex;
	u_char	ki_oncpu_old;
	u_char	ki_lastcpu_old;
	int	ki_oncpu;	/* NOCPU: it does not run */
	int	ki_lastcpu;
	int	ki_tracer;	/* its tracer's pid, or 0 */
	int	ki_flag2;
	int	ki_fibnum;
	u_int	ki_cr_flags;	/* KI_CRF_* */
	int	ki_jid;
	int	ki_numthreads;
	lwpid_t	ki_tid;
	struct priority	ki_pri;
	struct rusage	ki_rusage;
	struct rusage	ki_rusage_ch;
	char	ki_tdname[TDNAMLEN + 1];	/* the thread's */
	char	ki_ocomm[OCOMMLEN + 1];	/* the same, until FreeBSD 8 */
	char	ki_moretdname[COMMLEN - TDNAMLEN + 1];
	char	ki_wmesg[WMESGLEN + 1];	/* where it sleeps: a function of the
					   kernel, cut */
	char	ki_lockname[LOCKNAMELEN + 1];
	char	ki_login[LOGNAMELEN + 1];
	char	ki_loginclass[LOGINCLASSLEN + 1];
	char	ki_comm[COMMLEN + 1];	/* the process's */
	char	ki_emul[KI_EMULNAMELEN + 1];
};
#define	KINFO_PROC_SIZE	((int)sizeof(struct kinfo_proc))

#endif /* STACK9_SYS_USER_H */
