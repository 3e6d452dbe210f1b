/*
 * Runs functions when a program begins and ends, as FreeBSD's SYSINIT() and
 * SYSUNINIT() do: they are constructors and destructors, in the order of their
 * subsystem within a program or a shared object.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_KERNEL_H
#define STACK9_SYS_KERNEL_H

#ifndef _KERNEL
#define	_KERNEL	1
#endif

#include <sys/cdefs.h>
#include <sys/queue.h>
#include <sys/param.h>

/* Ticks of a second, in which sleeps are measured. */
enum { hz = 1000 };

/* The order of the kernel's start.  A value between two of them is good too. */
enum sysinit_sub_id {
	SI_SUB_DUMMY		= 0x0000000,
	SI_SUB_TUNABLES		= 0x0700000,
	SI_SUB_VM		= 0x1000000,
	SI_SUB_KMEM		= 0x1800000,
	SI_SUB_WITNESS		= 0x1a80000,
	SI_SUB_MTX_POOL_DYNAMIC	= 0x1ac0000,
	SI_SUB_LOCK		= 0x1b00000,
	SI_SUB_EVENTHANDLER	= 0x1c00000,
	SI_SUB_KLD		= 0x2000000,
	SI_SUB_CPU		= 0x2100000,
	SI_SUB_INTRINSIC	= 0x2240000,
	SI_SUB_TASKQ		= 0x2600000,
	SI_SUB_EPOCH		= 0x2700000,
	SI_SUB_SMP		= 0x2900000,
	SI_SUB_DRIVERS		= 0x3100000,
	SI_SUB_CONFIGURE	= 0x3800000,
	SI_SUB_VFS		= 0x4000000,
	SI_SUB_PSEUDO		= 0x7000000,
	SI_SUB_EXEC		= 0x7400000,
	SI_SUB_KICK_SCHEDULER	= 0xa000000,
	SI_SUB_KTHREAD_INIT	= 0xe000000,
	SI_SUB_LAST		= 0xfffffff
};
enum sysinit_elem_order {
	SI_ORDER_FIRST		= 0x0000000,
	SI_ORDER_SECOND		= 0x0000001,
	SI_ORDER_THIRD		= 0x0000002,
	SI_ORDER_FOURTH		= 0x0000003,
	SI_ORDER_MIDDLE		= 0x1000000,
	SI_ORDER_ANY		= 0xfffffff
};

/* Priorities from 101 to 65535 are a program's. */
#define	STACK9_ORDER_(sub, order)					\
	(1000 + ((int)(sub) >> 16) * 8 + ((int)(order) < 4 ? (int)(order) : \
	(int)(order) < SI_ORDER_MIDDLE ? 4 :				\
	(int)(order) < SI_ORDER_ANY ? 5 : 6))
#define	STACK9_RUN_(when, uniq, sub, order, func, ident)		\
	static void __attribute__((__##when##__(			\
	    STACK9_ORDER_(sub, order)), __used__))			\
	stack9_##when##_##uniq(void)					\
	{								\
		(func)(STACK9_IDENT_(ident));				\
	}								\
	struct stack9_source_id
/* ident may be a pointer to const, to volatile or to nothing. */
#define	STACK9_IDENT_(ident)						\
	((void *)(__UINTPTR_TYPE__)(const volatile void *)(ident))

#define	SYSINIT(uniq, sub, order, func, ident)				\
	STACK9_RUN_(constructor, uniq, sub, order, func, ident)
#define	C_SYSINIT(uniq, sub, order, func, ident)			\
	STACK9_RUN_(constructor, uniq, sub, order, func, ident)
#define	SYSUNINIT(uniq, sub, order, func, ident)			\
	STACK9_RUN_(destructor, uniq, sub, order, func, ident)

/* A process has no kernel environment, so a tunable keeps its first value. */
#define	TUNABLE_INT(path, var)		struct stack9_source_id
#define	TUNABLE_LONG(path, var)		struct stack9_source_id
#define	TUNABLE_ULONG(path, var)	struct stack9_source_id
#define	TUNABLE_STR(path, var, size)	struct stack9_source_id
#define	TUNABLE_INT_FETCH(path, var)	0
#define	TUNABLE_STR_FETCH(path, var, size)	0

#endif /* STACK9_SYS_KERNEL_H */
