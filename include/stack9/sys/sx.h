/*
 * Declares sx(9), locks that are shared or exclusive, for the threads of one
 * process.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_SX_H
#define STACK9_SYS_SX_H

#include <sys/cdefs.h>
#include <sys/kernel.h>
#include <sys/lock.h>

/* All zero: not locked. */
struct sx {
	struct lock_object	lock_object;
	int			sx_holders;	/* -1: exclusive */
	int			sx_owner;	/* a tid if exclusive */
	int			sx_waiters;
	u_int			sx_recurse;
};

#define	SX_DUPOK	0x01
#define	SX_NOPROFILE	0x02
#define	SX_NOWITNESS	0x04
#define	SX_QUIET	0x08
#define	SX_NOADAPTIVE	0x10
#define	SX_RECURSE	0x20
#define	SX_NEW		0x40
#define	STACK9_SX_RW	0x10000	/* messages call it a rwlock */

#define	SA_LOCKED	LA_LOCKED
#define	SA_SLOCKED	LA_SLOCKED
#define	SA_XLOCKED	LA_XLOCKED
#define	SA_UNLOCKED	LA_UNLOCKED

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

void	stack9_sx_init(struct sx *sx, const char *name, int opts);
void	stack9_sx_destroy(struct sx *sx);
void	stack9_sx_lock(struct sx *sx, int exclusive);
int	stack9_sx_trylock(struct sx *sx, int exclusive);
void	stack9_sx_unlock(struct sx *sx);
int	stack9_sx_xlocked(const struct sx *sx);	/* by the caller */
/* The caller's shared lock becomes exclusive: not 0; 0: there are others. */
int	stack9_sx_try_upgrade(struct sx *sx);
void	stack9_sx_downgrade(struct sx *sx);
void	stack9_sx_assert(const struct sx *sx, int what);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#define	sx_init(sx, name)		stack9_sx_init(sx, name, 0)
#define	sx_init_flags(sx, name, opts)	stack9_sx_init(sx, name, opts)
#define	sx_destroy(sx)			stack9_sx_destroy(sx)
#define	sx_slock(sx)			stack9_sx_lock(sx, 0)
#define	sx_xlock(sx)			stack9_sx_lock(sx, 1)
#define	sx_slock_sig(sx)		(stack9_sx_lock(sx, 0), 0)
#define	sx_xlock_sig(sx)		(stack9_sx_lock(sx, 1), 0)
#define	sx_try_slock(sx)		stack9_sx_trylock(sx, 0)
#define	sx_try_xlock(sx)		stack9_sx_trylock(sx, 1)
#define	sx_sunlock(sx)			stack9_sx_unlock(sx)
#define	sx_xunlock(sx)			stack9_sx_unlock(sx)
#define	sx_unlock(sx)			stack9_sx_unlock(sx)
#define	sx_xlocked(sx)			stack9_sx_xlocked(sx)
#define	sx_try_upgrade(sx)		stack9_sx_try_upgrade(sx)
#define	sx_downgrade(sx)		stack9_sx_downgrade(sx)
#ifdef INVARIANTS
#define	sx_assert(sx, what)		stack9_sx_assert(sx, what)
#else
#define	sx_assert(sx, what)		do { } while (0)
#endif

#define	SX_SYSINIT_FLAGS(uniq, lk, name, opts)				\
	static void							\
	stack9_sx_sysinit_##uniq(void *lock)				\
	{								\
		stack9_sx_init((struct sx *)lock, name, opts);		\
	}								\
	static void							\
	stack9_sx_sysuninit_##uniq(void *lock)				\
	{								\
		stack9_sx_destroy((struct sx *)lock);			\
	}								\
	SYSINIT(uniq##_sx, SI_SUB_LOCK, SI_ORDER_MIDDLE,		\
	    stack9_sx_sysinit_##uniq, lk);				\
	SYSUNINIT(uniq##_sx, SI_SUB_LOCK, SI_ORDER_MIDDLE,		\
	    stack9_sx_sysuninit_##uniq, lk)
#define	SX_SYSINIT(uniq, lk, name)	SX_SYSINIT_FLAGS(uniq, lk, name, 0)

#endif /* STACK9_SYS_SX_H */
