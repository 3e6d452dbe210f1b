/*
 * Uses rwlock(9) and condvar(9) between two threads, and asserts what they do
 * here.  It is C and C++20.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/cdefs.h>
__FBSDID("$FreeBSD$");

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/condvar.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/rwlock.h>
#include <sys/sx.h>

#include "idioms.h"

static struct rwlock idiom_rw;
RW_SYSINIT(idiom_rw, &idiom_rw, "idiom rw");
static struct mtx turn_lock;
MTX_SYSINIT(turn_lock, &turn_lock, "turn", MTX_DEF);
static struct cv turn_cv;
static int turn, others;

/* Each number is one thread's turn. */
static void
other_thread(void *arg __unused)
{
	int i;

	mtx_lock(&turn_lock);
	for (i = 1; i < 2000; i += 2) {
		while (turn != i)
			cv_wait(&turn_cv, &turn_lock);
		turn++;
		cv_signal(&turn_cv);
	}
	others = 1;
	cv_broadcast(&turn_cv);
	mtx_unlock(&turn_lock);
	kthread_exit();
}

static void
readers_and_writers(void)
{
	MUST(rw_initialized(&idiom_rw));
	rw_rlock(&idiom_rw);
	MUST(rw_try_rlock(&idiom_rw));
	MUST(!rw_try_upgrade(&idiom_rw));	/* there are two */
	rw_runlock(&idiom_rw);
	MUST(!rw_try_wlock(&idiom_rw) && !rw_wowned(&idiom_rw));
	MUST(rw_try_upgrade(&idiom_rw));
	rw_assert(&idiom_rw, RA_WLOCKED);
	MUST(rw_wowned(&idiom_rw));
	rw_downgrade(&idiom_rw);
	rw_assert(&idiom_rw, RA_RLOCKED);
	MUST(!rw_wowned(&idiom_rw));
	rw_unlock(&idiom_rw);
	rw_wlock(&idiom_rw);
	MUST(!rw_try_rlock(&idiom_rw));
	rw_wunlock(&idiom_rw);
	rw_assert(&idiom_rw, RA_UNLOCKED);
}

/* Both kinds of locks are held again after a wait, as they were. */
static void
waits_with_a_limit(void)
{
	struct cv cv;
	struct sx sx;
	struct timespec begin, end;

	cv_init(&cv, "never");
	MUST(strcmp(cv_wmesg(&cv), "never") == 0);
	nanouptime(&begin);
	mtx_lock(&turn_lock);
	MUST(cv_timedwait(&cv, &turn_lock, hz / 50) == EWOULDBLOCK);
	mtx_assert(&turn_lock, MA_OWNED);
	mtx_unlock(&turn_lock);
	nanouptime(&end);
	MUST((end.tv_sec - begin.tv_sec) * 1000 +
	    (end.tv_nsec - begin.tv_nsec) / 1000000 >= 19);
	rw_rlock(&idiom_rw);
	MUST(cv_timedwait_sig(&cv, &idiom_rw, 1) == EWOULDBLOCK);
	rw_assert(&idiom_rw, RA_RLOCKED);
	rw_runlock(&idiom_rw);
	sx_init(&sx, "idiom sx");
	sx_xlock(&sx);
	MUST(cv_timedwait(&cv, &sx, 1) == EWOULDBLOCK);
	sx_assert(&sx, SA_XLOCKED);
	sx_downgrade(&sx);
	MUST(sx_try_upgrade(&sx));
	sx_xunlock(&sx);
	sx_destroy(&sx);
	cv_destroy(&cv);
}

void
locks_and_conditions(void)
{
	struct thread *td;
	int i;

	readers_and_writers();
	waits_with_a_limit();
	cv_init(&turn_cv, "turns");
	MUST(kthread_add(other_thread, NULL, NULL, &td, 0, 0, "other") == 0);
	mtx_lock(&turn_lock);
	for (i = 0; i < 2000; i += 2) {
		while (turn != i)
			cv_wait(&turn_cv, &turn_lock);
		turn++;
		cv_signal(&turn_cv);
	}
	while (!others)
		cv_wait(&turn_cv, &turn_lock);
	MUST(turn == 2000);
	mtx_unlock(&turn_lock);
}
