/*
 * Declares mutex(9).  These mutexes exclude the threads of one process; a spin
 * mutex sleeps too, because a process cannot keep its CPU.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_MUTEX_H
#define STACK9_SYS_MUTEX_H

#include <sys/cdefs.h>
#include <sys/kernel.h>
#include <sys/lock.h>

/* All zero: not locked. */
struct mtx {
	struct lock_object	lock_object;
	int			mtx_owner;	/* a tid; 0: not locked */
	int			mtx_waiters;
	u_int			mtx_recurse;	/* locks beyond the first */
};
struct mtx_padalign {
	struct mtx	mtx_of_the_line;
} __aligned(64);

#define	MTX_DEF		0x00000000
#define	MTX_SPIN	0x00000001
#define	MTX_RECURSE	0x00000004
#define	MTX_NOWITNESS	0x00000008
#define	MTX_NOPROFILE	0x00000020
#define	MTX_NEW		0x00000040
#define	MTX_QUIET	LOP_QUIET
#define	MTX_DUPOK	LOP_DUPOK

#define	MA_OWNED	LA_XLOCKED
#define	MA_NOTOWNED	LA_UNLOCKED
#define	MA_RECURSED	LA_RECURSED
#define	MA_NOTRECURSED	LA_NOTRECURSED

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A second lock by the owner panics unless opts has MTX_RECURSE, and so does an
 * unlock by another thread. */
void	stack9_mtx_init(struct mtx *m, const char *name, int opts);
void	stack9_mtx_destroy(struct mtx *m);
void	stack9_mtx_lock(struct mtx *m);
int	stack9_mtx_trylock(struct mtx *m);	/* not 0: it is locked now */
void	stack9_mtx_unlock(struct mtx *m);
int	stack9_mtx_owned(const struct mtx *m);
/* Panics unless what is true. */
void	stack9_mtx_assert(const struct mtx *m, int what);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* C11's <threads.h> has functions with some of these names, so these are
 * macros. */
#define	STACK9_MTX_(m)		((struct mtx *)(void *)(m))
#define	mtx_init(m, name, type, opts)					\
	stack9_mtx_init(STACK9_MTX_(m), name, opts)
#define	mtx_destroy(m)		stack9_mtx_destroy(STACK9_MTX_(m))
#define	mtx_lock(m)		stack9_mtx_lock(STACK9_MTX_(m))
#define	mtx_lock_spin(m)	stack9_mtx_lock(STACK9_MTX_(m))
#define	mtx_lock_flags(m, opts)	stack9_mtx_lock(STACK9_MTX_(m))
#define	mtx_lock_spin_flags(m, opts)	stack9_mtx_lock(STACK9_MTX_(m))
#define	mtx_trylock(m)		stack9_mtx_trylock(STACK9_MTX_(m))
#define	mtx_trylock_spin(m)	stack9_mtx_trylock(STACK9_MTX_(m))
#define	mtx_trylock_flags(m, opts)	stack9_mtx_trylock(STACK9_MTX_(m))
#define	mtx_unlock(m)		stack9_mtx_unlock(STACK9_MTX_(m))
#define	mtx_unlock_spin(m)	stack9_mtx_unlock(STACK9_MTX_(m))
#define	mtx_unlock_flags(m, opts)	stack9_mtx_unlock(STACK9_MTX_(m))
#define	mtx_unlock_spin_flags(m, opts)	stack9_mtx_unlock(STACK9_MTX_(m))
#define	mtx_owned(m)		stack9_mtx_owned(STACK9_MTX_(m))
#define	mtx_recursed(m)		(STACK9_MTX_(m)->mtx_recurse != 0)
#define	mtx_initialized(m)						\
	((STACK9_MTX_(m)->lock_object.lo_flags & LO_INITIALIZED) != 0)
#define	mtx_name(m)		(STACK9_MTX_(m)->lock_object.lo_name)
#ifdef INVARIANTS
#define	mtx_assert(m, what)	stack9_mtx_assert(STACK9_MTX_(m), what)
#else
#define	mtx_assert(m, what)	do { } while (0)
#endif

/* Nothing needs a process-wide lock for the sake of old code. */
#define	GIANT_REQUIRED		do { } while (0)

#define	MTX_SYSINIT(uniq, m, name, opts)				\
	static void							\
	stack9_mtx_sysinit_##uniq(void *lock)				\
	{								\
		stack9_mtx_init((struct mtx *)lock, name, opts);	\
	}								\
	static void							\
	stack9_mtx_sysuninit_##uniq(void *lock)				\
	{								\
		stack9_mtx_destroy((struct mtx *)lock);			\
	}								\
	SYSINIT(uniq##_mtx, SI_SUB_LOCK, SI_ORDER_MIDDLE,		\
	    stack9_mtx_sysinit_##uniq, m);				\
	SYSUNINIT(uniq##_mtx, SI_SUB_LOCK, SI_ORDER_MIDDLE,		\
	    stack9_mtx_sysuninit_##uniq, m)

#endif /* STACK9_SYS_MUTEX_H */
