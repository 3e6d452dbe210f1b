/*
 * Declares the part that all locks have in common.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_LOCK_H
#define STACK9_SYS_LOCK_H

#include <sys/types.h>

struct witness;

struct lock_object {
	const char	*lo_name;
	u_int		 lo_flags;
	u_int		 lo_data;	/* the caller's */
	struct witness	*lo_witness;	/* the caller's */
};

struct lock_class {
	const char	*lc_name;
	u_int		 lc_flags;
};

#define	LC_SLEEPLOCK	0x00000001
#define	LC_SPINLOCK	0x00000002
#define	LC_SLEEPABLE	0x00000004
#define	LC_RECURSABLE	0x00000008
#define	LC_UPGRADABLE	0x00000010

#define	LO_INITIALIZED	0x00010000
#define	LO_WITNESS	0x00020000
#define	LO_QUIET	0x00040000
#define	LO_RECURSABLE	0x00080000
#define	LO_SLEEPABLE	0x00100000
#define	LO_UPGRADABLE	0x00200000
#define	LO_DUPOK	0x00400000
#define	LO_IS_VNODE	0x00800000
#define	LO_NEW		0x04000000
#define	STACK9_LO_SX	0x10000000	/* in a struct sx or rwlock */
#define	STACK9_LO_RW	0x20000000	/* in a struct rwlock */

#define	LOP_NEWORDER	0x00000001
#define	LOP_QUIET	0x00000002
#define	LOP_TRYLOCK	0x00000004
#define	LOP_EXCLUSIVE	0x00000008
#define	LOP_DUPOK	0x00000010

#define	LA_MASKASSERT	0x000000ff
#define	LA_UNLOCKED	0x00000000
#define	LA_LOCKED	0x00000001
#define	LA_SLOCKED	0x00000002
#define	LA_XLOCKED	0x00000004
#define	LA_RECURSED	0x00000008
#define	LA_NOTRECURSED	0x00000010

#define	LOCK_FILE	__FILE__
#define	LOCK_LINE	__LINE__

/* Nothing checks the order of these locks, so there is nothing to warn of. */
#define	WITNESS_CHECKORDER(lock, flags, file, line, interlock)
#define	WITNESS_LOCK(lock, flags, file, line)
#define	WITNESS_UNLOCK(lock, flags, file, line)
#define	WITNESS_WARN(flags, lock, ...)
#define	WARN_GIANTOK	0x01
#define	WARN_PANIC	0x02
#define	WARN_SLEEPOK	0x04

#endif /* STACK9_SYS_LOCK_H */
