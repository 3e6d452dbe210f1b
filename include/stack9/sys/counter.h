/*
 * Counts events as counter(9).  A counter is one atomic number for all CPUs.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_COUNTER_H
#define STACK9_SYS_COUNTER_H

#include <stdint.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <sys/sysctl.h>

typedef uint64_t *counter_u64_t;

/* NULL only with M_NOWAIT. */
static inline counter_u64_t
counter_u64_alloc(int flags)
{
	return ((counter_u64_t)stack9_malloc(sizeof(uint64_t), M_DEVBUF,
	    flags | M_ZERO));
}

static inline void
counter_u64_free(counter_u64_t c)
{
	(free)(c);
}

static inline void
counter_u64_add(counter_u64_t c, int64_t by)
{
	__atomic_fetch_add(c, (uint64_t)by, __ATOMIC_RELAXED);
}

static inline uint64_t
counter_u64_fetch(counter_u64_t c)
{
	return (__atomic_load_n(c, __ATOMIC_RELAXED));
}

static inline void
counter_u64_zero(counter_u64_t c)
{
	__atomic_store_n(c, 0, __ATOMIC_RELAXED);
}

#define	counter_u64_subtract(c, by)	counter_u64_add((c), -(int64_t)(by))

/* Each addition is atomic, so nothing need be kept away meanwhile. */
#define	counter_enter()			do { } while (0)
#define	counter_exit()			do { } while (0)
#define	counter_u64_add_protected(c, by)	counter_u64_add((c), (by))

static inline void
stack9_counters_alloc(counter_u64_t *all, size_t n, int flags)
{
	size_t i;

	for (i = 0; i < n; i++)
		all[i] = counter_u64_alloc(flags);
}

static inline void
stack9_counters_zero(counter_u64_t *all, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		counter_u64_zero(all[i]);
}

static inline void
stack9_counters_free(counter_u64_t *all, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		counter_u64_free(all[i]);
}
#define	COUNTER_ARRAY_ALLOC(a, n, wait)	stack9_counters_alloc((a), (n), (wait))
#define	COUNTER_ARRAY_ZERO(a, n)	stack9_counters_zero((a), (n))
#define	COUNTER_ARRAY_FREE(a, n)	stack9_counters_free((a), (n))
#define	COUNTER_ARRAY_COPY(a, to, n) do {				\
	for (int stack9_i = 0; stack9_i < (int)(n); stack9_i++)		\
		((uint64_t *)(to))[stack9_i] =				\
		    counter_u64_fetch((a)[stack9_i]);			\
} while (0)

/* ptr: a counter_u64_t. */
static inline int
sysctl_handle_counter_u64(SYSCTL_HANDLER_ARGS)
{
	uint64_t *counter = *(uint64_t **)arg1;
	uint64_t value = __atomic_load_n(counter, __ATOMIC_RELAXED);
	int error = SYSCTL_OUT(req, &value, sizeof(value));

	if (error == 0 && req->newptr != NULL)	/* any write resets it */
		__atomic_store_n(counter, 0, __ATOMIC_RELAXED);
	return (error);
}
#define	SYSCTL_COUNTER_U64(parent, nbr, name, access, ptr, descr)	\
	SYSCTL_OID(parent, nbr, name, CTLTYPE_U64 | (access), ptr, 0,	\
	    sysctl_handle_counter_u64, "QU", descr)

/* c is made before main(). */
#define	COUNTER_U64_SYSINIT(c)						\
	static void							\
	stack9_counter_sysinit_##c(void *arg __unused)			\
	{								\
		c = counter_u64_alloc(M_WAITOK);			\
	}								\
	SYSINIT(c##_counter, SI_SUB_INTRINSIC, SI_ORDER_ANY,		\
	    stack9_counter_sysinit_##c, NULL)

#endif /* STACK9_SYS_COUNTER_H */
