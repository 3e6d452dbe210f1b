/*
 * struct thread and struct proc as ported kernel code needs them.  A thread
 * is named for good by its tid and start time; what the locks here do, and do
 * not do, stands in stack(9), COMPATIBILITY.
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
	uint64_t	 td_start;	/* stack9's own: clock ticks since boot,
					   0 unknown; with td_tid it names the
					   thread */
	struct thread	*td_link;	/* FOREACH_THREAD_IN_PROC()'s own */
};

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * The thread that has this tid, in process pid (-1: in any), or NULL if there
 * is none or it is dead.  Its process comes locked: both pointers live until
 * the calling thread's last PROC_UNLOCK() of it, and longer under PHOLD().
 * Waits for memory if there is none.  Not async-signal-safe.
 */
struct thread	*tdfind(lwpid_t tid, pid_t pid);

/* The process, locked as tdfind() does it, or NULL; the same pointer each
 * time while it is locked or held.  The calling one's is curproc. */
struct proc	*pfind(pid_t pid);

/* The thread of p that has this tid, or NULL; p is locked by the caller. */
struct thread	*thread_find(struct proc *p, lwpid_t tid);

/* What the macros below call. */
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

/* The calling thread and its process; valid as long as the thread lives.
 * Async-signal-safe. */
#define	curthread		(stack9_curthread())
#define	curproc			(stack9_curthread()->td_proc)

/* Counted for each calling thread; nobody waits and nothing is stopped. */
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

/* The threads of p, by tid, as they were when it was locked. */
#define	FIRST_THREAD_IN_PROC(p)	stack9_proc_threads(p)
#define	FOREACH_THREAD_IN_PROC(p, td)					\
	for ((td) = stack9_proc_threads(p); (td) != NULL;		\
	    (td) = (td)->td_link)

/* On a CPU or waiting for one; Linux swaps no kernel stack out. */
#define	TD_IS_RUNNING(td)	stack9_thread_running(td)
#define	TD_IS_SWAPPED(td)	((void)(td), 0)

#endif /* STACK9_SYS_PROC_H */
