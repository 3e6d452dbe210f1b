/*
 * Declares condvar(9) for the threads of one process.  The lock is a mutex, a
 * rwlock or an sx lock that the caller holds, once.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_CONDVAR_H
#define STACK9_SYS_CONDVAR_H

#include <errno.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>

/* All zero: nobody waits. */
struct cv {
	const char	*cv_description;
	int		 cv_waiters;
	int		 cv_signals;	/* counted; a word to sleep on */
};

#define	STACK9_CV_SIG	0x1	/* a signal ends the wait */
#define	STACK9_CV_KEEP	0x2	/* the lock is not taken again */

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

void	stack9_cv_init(struct cv *cv, const char *description);
/* Releases the lock, sleeps, and takes the lock again as it was.  ticks: of
 * hz; 0: for ever.  Returns 0; EWOULDBLOCK: the time is over; EINTR: a signal
 * was handled. */
int	stack9_cv_wait(struct cv *cv, struct lock_object *lock, int ticks,
	    int flags);
void	stack9_cv_wake(struct cv *cv, int all);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#define	cv_init(cv, description)	stack9_cv_init(cv, description)
#define	cv_destroy(cv)			((void)(cv))
#define	STACK9_CV_WAIT_(cv, lock, ticks, flags)				\
	stack9_cv_wait(cv, &(lock)->lock_object, ticks, flags)
#define	cv_wait(cv, lock)						\
	((void)STACK9_CV_WAIT_(cv, lock, 0, 0))
#define	cv_wait_unlock(cv, lock)					\
	((void)STACK9_CV_WAIT_(cv, lock, 0, STACK9_CV_KEEP))
#define	cv_wait_sig(cv, lock)						\
	STACK9_CV_WAIT_(cv, lock, 0, STACK9_CV_SIG)
#define	cv_timedwait(cv, lock, ticks)					\
	STACK9_CV_WAIT_(cv, lock, ticks, 0)
#define	cv_timedwait_sig(cv, lock, ticks)				\
	STACK9_CV_WAIT_(cv, lock, ticks, STACK9_CV_SIG)
#define	cv_signal(cv)			stack9_cv_wake(cv, 0)
#define	cv_broadcast(cv)		stack9_cv_wake(cv, 1)
#define	cv_broadcastpri(cv, priority)	stack9_cv_wake(cv, 1)
#define	cv_wmesg(cv)			((cv)->cv_description)

#endif /* STACK9_SYS_CONDVAR_H */
