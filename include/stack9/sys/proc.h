/*
 * Declares struct thread and struct proc as ported kernel code needs them.  The
 * tid and the start time together name a thread for good.  The COMPATIBILITY
 * section of stack(9) says what these locks do and what they do not do.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_SYS_PROC_H
#define STACK9_SYS_PROC_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/types.h>
#include "_curthread.h"
/* FreeBSD's brings this one; it is in the overlay only. */
#if __has_include(<sys/pcpu.h>)
#include <sys/pcpu.h>
#endif

#ifndef _LWPID_T_DECLARED
typedef int32_t lwpid_t;
#define	_LWPID_T_DECLARED
#endif

#ifndef MAXCOMLEN
#define	MAXCOMLEN	19	/* longest name, without its NUL */
#endif

/* Links and heads as those of <sys/queue.h>.  Not every libc has that. */
#define	STACK9_TAILQ_ENTRY_						\
	struct { struct thread *tqe_next, **tqe_prev; }

struct proc {
	pid_t		 p_pid;
	int		 p_numthreads;	/* at the outermost PROC_LOCK() */
	char		 p_comm[MAXCOMLEN + 1];	/* when it was found */
	int		 p_state;	/* PRS_NORMAL */
	int		 p_flag;	/* 0 */
	struct { struct thread *tqh_first, **tqh_last; }
			 p_threads;	/* by td_plist, after
					   FIRST_THREAD_IN_PROC() or a walk */
};
enum { PRS_NEW = 0, PRS_NORMAL, PRS_ZOMBIE };

struct thread {
	struct proc	*td_proc;	/* never NULL */
	lwpid_t		 td_tid;
	char		 td_name[MAXCOMLEN + 1];	/* when it was found */
	uint64_t	 td_start;	/* a field of stack9 only: clock ticks
					   since boot, 0 if not known; with
					   td_tid it names the thread */
	STACK9_TAILQ_ENTRY_ td_plist;	/* the threads of td_proc */
	STACK9_TAILQ_ENTRY_ td_slpq;	/* these links, and td_wchan, are */
	STACK9_TAILQ_ENTRY_ td_lockq;	/* for queues of the program's own */
	const void	*td_wchan;
	const char	*td_wmesg;	/* where it slept when it was found: a
					   function of the kernel; or NULL */
	int		 td_flags;	/* TDF_*, when it was found */
};

/* Made by TAILQ_HEAD(threadqueue, thread). */
struct threadqueue {
	struct thread	*tqh_first, **tqh_last;
};

/* Values of ki_stat in <sys/user.h>. */
#define	SIDL		1
#define	SRUN		2
#define	SSLEEP		3
#define	SSTOP		4
#define	SZOMB		5
#define	SWAIT		6
#define	SLOCK		7

/* Bits of ki_flag.  p_flag is 0. */
#define	P_KPROC		0x00000004	/* of the kernel, and P_SYSTEM */
#define	P_CONTROLT	0x00000002
#define	P_HADTHREADS	0x00000080	/* it has some */
#define	P_SYSTEM	0x00000200
#define	P_TRACED	0x00000800
#define	P_WEXIT		0x00002000	/* a zombie */
#define	P_STOPPED_SIG	0x00020000
#define	P_STOPPED_TRACE	0x00040000
#define	P_INMEM		0x10000000	/* always */

#define	NOCPU		(-1)
#define	NOCPU_OLD	255
#define	MAXCPU_OLD	254

#define	TDF_INMEM	0x00000004	/* always: nothing is swapped out */
#define	TDF_SINTR	0x00000008	/* a signal may end its sleep */

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Returns the thread that has this tid, in process pid (-1: in any process), or
 * NULL if there is no such thread or it is dead.  The call locks the process.
 * Both pointers are valid until the calling thread's last PROC_UNLOCK() of the
 * process, and longer under PHOLD().  If there is no memory, the call waits for
 * it.  The call is not async-signal-safe.
 */
struct thread	*tdfind(lwpid_t tid, pid_t pid);

/* Returns the process, locked as by tdfind(), or NULL.  The pointer is the same
 * each time while the process is locked, or held by PHOLD().  The calling
 * process is found as curproc. */
struct proc	*pfind(pid_t pid);

/* Returns the thread of p that has this tid, or NULL.  The caller has locked
 * p. */
struct thread	*thread_find(struct proc *p, lwpid_t tid);

/* The macros below call these functions. */
void		 stack9_proc_lock(struct proc *p);
void		 stack9_proc_unlock(struct proc *p);
void		 stack9_proc_hold(struct proc *p);
void		 stack9_proc_release(struct proc *p);
struct thread	*stack9_proc_threads(struct proc *p);
int		 stack9_thread_running(const struct thread *td);
int		 stack9_thread_sleeping(const struct thread *td);

/* Returns the process with the next higher pid (NULL: the lowest), held until
 * the next call or the thread's end, or NULL after the last one. */
struct proc	*stack9_next_proc(struct proc *p);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* The process of the calling thread.  The pointer is valid as long as the
 * thread lives.  The macro is async-signal-safe. */
#define	curproc			(stack9_curthread()->td_proc)

/* These are counted for each calling thread.  No thread waits, and none is
 * stopped. */
#define	PROC_LOCK(p)		stack9_proc_lock(p)
#define	PROC_UNLOCK(p)		stack9_proc_unlock(p)
#define	PHOLD(p)		stack9_proc_hold(p)
#define	_PHOLD(p)		stack9_proc_hold(p)
#define	PRELE(p)		stack9_proc_release(p)
#define	_PRELE(p)		stack9_proc_release(p)
#define	PROC_LOCK_ASSERT(p, what)	((void)(p))

#define	thread_lock(td)		((void)(td))
#define	thread_unlock(td)	((void)(td))
#define	THREAD_LOCK_ASSERT(td, what)	((void)(td))

/* These walk the threads of p, by tid, as they were when p was locked. */
#define	FIRST_THREAD_IN_PROC(p)	stack9_proc_threads(p)
#define	FOREACH_THREAD_IN_PROC(p, td)					\
	for ((td) = stack9_proc_threads(p); (td) != NULL;		\
	    (td) = (td)->td_plist.tqe_next)

/* This walks the processes of the machine.  No lock is needed. */
#define	FOREACH_PROC_IN_SYSTEM(p)					\
	for ((p) = stack9_next_proc(NULL); (p) != NULL;			\
	    (p) = stack9_next_proc(p))

/* A running thread is on a CPU or waits for one.  Linux never swaps a kernel
 * stack out. */
#define	TD_IS_RUNNING(td)	stack9_thread_running(td)
#define	TD_IS_SWAPPED(td)	((void)(td), 0)
#define	TD_IS_SLEEPING(td)	stack9_thread_sleeping(td)
#define	TD_ON_SLEEPQ(td)	stack9_thread_sleeping(td)
#define	TD_IS_INHIBITED(td)	stack9_thread_sleeping(td)
/* Linux does not say if a runnable thread waits for a CPU or has it. */
#define	TD_ON_RUNQ(td)		((void)(td), 0)
#define	TD_CAN_RUN(td)		((void)(td), 0)
/* To Linux all of these are sleeps. */
#define	TD_ON_LOCK(td)		((void)(td), 0)
#define	TD_IS_SUSPENDED(td)	((void)(td), 0)
#define	TD_AWAITING_INTR(td)	((void)(td), 0)

/* Rights are asked for when a stack is captured, not here. */
#define	PGET_HOLD	0x00001	/* held, and not locked */
#define	PGET_CANSEE	0x00002
#define	PGET_CANDEBUG	0x00004
#define	PGET_ISCURRENT	0x00008
#define	PGET_NOTWEXIT	0x00010
#define	PGET_NOTINEXEC	0x00020
#define	PGET_NOTID	0x00040	/* pid is not a tid */
#define	PGET_WANTREAD	(PGET_HOLD | PGET_CANDEBUG | PGET_NOTWEXIT)
#define	pget(pid, flags, pp)	stack9_pget(pid, flags, pp)

/* Finds a process, locked or with PGET_HOLD held.  Returns 0 or ESRCH. */
static inline int
stack9_pget(pid_t pid, int flags, struct proc **pp)
{
	struct proc *p = pfind(pid);

	if (p == NULL && (flags & PGET_NOTID) == 0) {
		struct thread *td = tdfind(pid, -1);
		if (td != NULL)
			p = td->td_proc;
	}
	if (p == NULL)
		return (ESRCH);
	if ((flags & PGET_HOLD) != 0) {
		_PHOLD(p);
		PROC_UNLOCK(p);
	}
	*pp = p;
	return (0);
}

#endif /* STACK9_SYS_PROC_H */
