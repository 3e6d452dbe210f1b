/*
 * Declares rwlock(9), locks that readers share or that belong to a writer, for
 * the threads of one process.  They are those of sx(9) by other names: all
 * locks sleep here.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_RWLOCK_H
#define STACK9_SYS_RWLOCK_H

#include <sys/sx.h>

/* All zero: not locked. */
struct rwlock {
	struct lock_object	lock_object;
	int			rw_holders;	/* -1: a writer */
	int			rw_owner;	/* a tid if there is a writer */
	int			rw_waiters;
	u_int			rw_recurse;
};
struct rwlock_padalign {
	struct rwlock	rw_of_the_line;
} __aligned(64);

#define	RW_DUPOK	0x01
#define	RW_NOPROFILE	0x02
#define	RW_NOWITNESS	0x04
#define	RW_QUIET	0x08
#define	RW_RECURSE	SX_RECURSE
#define	RW_NEW		SX_NEW

#define	RA_LOCKED	LA_LOCKED
#define	RA_RLOCKED	LA_SLOCKED
#define	RA_WLOCKED	LA_XLOCKED
#define	RA_UNLOCKED	LA_UNLOCKED
#define	RA_RECURSED	LA_RECURSED
#define	RA_NOTRECURSED	LA_NOTRECURSED

#define	STACK9_RW_(rw)			((struct sx *)(void *)(rw))
#define	rw_init(rw, name)		rw_init_flags(rw, name, 0)
#define	rw_init_flags(rw, name, opts)					\
	stack9_sx_init(STACK9_RW_(rw), name, (opts) | STACK9_SX_RW)
#define	rw_destroy(rw)			stack9_sx_destroy(STACK9_RW_(rw))
#define	rw_rlock(rw)			stack9_sx_lock(STACK9_RW_(rw), 0)
#define	rw_wlock(rw)			stack9_sx_lock(STACK9_RW_(rw), 1)
#define	rw_try_rlock(rw)		stack9_sx_trylock(STACK9_RW_(rw), 0)
#define	rw_try_wlock(rw)		stack9_sx_trylock(STACK9_RW_(rw), 1)
#define	rw_runlock(rw)			stack9_sx_unlock(STACK9_RW_(rw))
#define	rw_wunlock(rw)			stack9_sx_unlock(STACK9_RW_(rw))
#define	rw_unlock(rw)			stack9_sx_unlock(STACK9_RW_(rw))
#define	rw_try_upgrade(rw)		stack9_sx_try_upgrade(STACK9_RW_(rw))
#define	rw_downgrade(rw)		stack9_sx_downgrade(STACK9_RW_(rw))
#define	rw_wowned(rw)			stack9_sx_xlocked(STACK9_RW_(rw))
#define	rw_initialized(rw)						\
	(((rw)->lock_object.lo_flags & LO_INITIALIZED) != 0)
#ifdef INVARIANTS
#define	rw_assert(rw, what)		stack9_sx_assert(STACK9_RW_(rw), what)
#else
#define	rw_assert(rw, what)		do { } while (0)
#endif

#define	RW_SYSINIT_FLAGS(uniq, lk, name, opts)				\
	SX_SYSINIT_FLAGS(uniq##_rw, lk, name, (opts) | STACK9_SX_RW)
#define	RW_SYSINIT(uniq, lk, name)	RW_SYSINIT_FLAGS(uniq, lk, name, 0)

#endif /* STACK9_SYS_RWLOCK_H */
