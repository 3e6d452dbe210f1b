/*
 * Implements atomic(9) for int, long, pointers, 32 and 64 bits by the
 * compiler's atomic operations.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_MACHINE_ATOMIC_H
#define STACK9_MACHINE_ATOMIC_H

#include <stdint.h>
#include <sys/types.h>

/* The variants without _acq and _rel order as strongly, as they do on x86. */
#define	STACK9_ATOMIC_OP_(name, type, op, builtin)			\
static inline void							\
name(volatile type *p, type v)						\
{									\
	(void)builtin(p, op, __ATOMIC_SEQ_CST);				\
}
#define	STACK9_ATOMIC_OPS_(op, suffix, type, value, builtin)		\
STACK9_ATOMIC_OP_(atomic_##op##_##suffix, type, value, builtin)		\
STACK9_ATOMIC_OP_(atomic_##op##_acq_##suffix, type, value, builtin)	\
STACK9_ATOMIC_OP_(atomic_##op##_rel_##suffix, type, value, builtin)
#define	STACK9_ATOMIC_SET_(name, type)					\
static inline int							\
name(volatile type *p, type expect, type want)				\
{									\
	return (__atomic_compare_exchange_n(p, &expect, want, 0,	\
	    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));			\
}
#define	STACK9_ATOMIC_FCMPSET_(name, type)				\
static inline int							\
name(volatile type *p, type *expect, type want)				\
{									\
	return (__atomic_compare_exchange_n(p, expect, want, 0,		\
	    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));			\
}

#define	STACK9_ATOMIC_(suffix, type)					\
STACK9_ATOMIC_OPS_(add, suffix, type, v, __atomic_fetch_add)		\
STACK9_ATOMIC_OPS_(subtract, suffix, type, v, __atomic_fetch_sub)	\
STACK9_ATOMIC_OPS_(set, suffix, type, v, __atomic_fetch_or)		\
STACK9_ATOMIC_OPS_(clear, suffix, type, (type)~v, __atomic_fetch_and)	\
STACK9_ATOMIC_SET_(atomic_cmpset_##suffix, type)			\
STACK9_ATOMIC_SET_(atomic_cmpset_acq_##suffix, type)			\
STACK9_ATOMIC_SET_(atomic_cmpset_rel_##suffix, type)			\
STACK9_ATOMIC_FCMPSET_(atomic_fcmpset_##suffix, type)			\
STACK9_ATOMIC_FCMPSET_(atomic_fcmpset_acq_##suffix, type)		\
STACK9_ATOMIC_FCMPSET_(atomic_fcmpset_rel_##suffix, type)		\
static inline type							\
atomic_fetchadd_##suffix(volatile type *p, type v)			\
{									\
	return (__atomic_fetch_add(p, v, __ATOMIC_SEQ_CST));		\
}									\
static inline type							\
atomic_swap_##suffix(volatile type *p, type v)				\
{									\
	return (__atomic_exchange_n(p, v, __ATOMIC_SEQ_CST));		\
}									\
static inline type							\
atomic_readandclear_##suffix(volatile type *p)				\
{									\
	return (__atomic_exchange_n(p, (type)0, __ATOMIC_SEQ_CST));	\
}									\
static inline type							\
atomic_load_acq_##suffix(const volatile type *p)			\
{									\
	return (__atomic_load_n(p, __ATOMIC_ACQUIRE));			\
}									\
static inline type							\
atomic_load_##suffix(const volatile type *p)				\
{									\
	return (__atomic_load_n(p, __ATOMIC_RELAXED));			\
}									\
static inline void							\
atomic_store_rel_##suffix(volatile type *p, type v)			\
{									\
	__atomic_store_n(p, v, __ATOMIC_RELEASE);			\
}									\
static inline void							\
atomic_store_##suffix(volatile type *p, type v)				\
{									\
	__atomic_store_n(p, v, __ATOMIC_RELAXED);			\
}

STACK9_ATOMIC_(int, u_int)
STACK9_ATOMIC_(long, u_long)
STACK9_ATOMIC_(32, uint32_t)
STACK9_ATOMIC_(64, uint64_t)
STACK9_ATOMIC_(ptr, uintptr_t)

#define	atomic_load_ptr(p)	__atomic_load_n(p, __ATOMIC_RELAXED)
#define	atomic_store_ptr(p, v)	__atomic_store_n(p, v, __ATOMIC_RELAXED)
#define	atomic_thread_fence_acq()	__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define	atomic_thread_fence_rel()	__atomic_thread_fence(__ATOMIC_RELEASE)
#define	atomic_thread_fence_acq_rel()	__atomic_thread_fence(__ATOMIC_ACQ_REL)
#define	atomic_thread_fence_seq_cst()	__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define	atomic_interrupt_fence()	__atomic_signal_fence(__ATOMIC_SEQ_CST)
#define	mb()	__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define	rmb()	__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define	wmb()	__atomic_thread_fence(__ATOMIC_RELEASE)

#endif /* STACK9_MACHINE_ATOMIC_H */
