/*
 * Declares struct thread and struct proc as ported kernel code needs them.  The
 * tid and the start time together name a thread for good.  The COMPATIBILITY
 * section of stack(9) says what these locks do and what they do not do.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_SYS_PROC_H
#define STACK9_SYS_PROC_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifndef _LWPID_T_DECLARED
typedef int32_t lwpid_t;
#define	_LWPID_T_DECLARED
#endif

#ifndef MAXCOMLEN
#define	MAXCOMLEN	19	/* longest name, without its NUL */
#endif

struct proc {
	pid_t		 p_pid;
	int		 p_numthreads;	/* at the outermost PROC_LOCK() */
	char		 p_comm[MAXCOMLEN + 1];	/* when it was found */
};

struct thread {
	struct proc	*td_proc;	/* never NULL */
	lwpid_t		 td_tid;
	char		 td_name[MAXCOMLEN + 1];	/* when it was found */
	uint64_t	 td_start;	/* a field of stack9 only: clock ticks
					   since boot, 0 if not known; with
					   td_tid it names the thread */
	struct thread	*td_link;	/* used by FOREACH_THREAD_IN_PROC() */
};

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
struct thread	*stack9_curthread(void);
void		 stack9_proc_lock(struct proc *p);
void		 stack9_proc_unlock(struct proc *p);
void		 stack9_proc_hold(struct proc *p);
void		 stack9_proc_release(struct proc *p);
struct thread	*stack9_proc_threads(struct proc *p);
int		 stack9_thread_running(const struct thread *td);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* The calling thread and its process.  The pointers are valid as long as the
 * thread lives.  Both macros are async-signal-safe. */
#define	curthread		(stack9_curthread())
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
	    (td) = (td)->td_link)

/* A running thread is on a CPU or waits for one.  Linux never swaps a kernel
 * stack out. */
#define	TD_IS_RUNNING(td)	stack9_thread_running(td)
#define	TD_IS_SWAPPED(td)	((void)(td), 0)

#endif /* STACK9_SYS_PROC_H */
