/*
 * Counts references atomically, as refcount(9).  A count that would overflow
 * stays at a high value, and nothing is freed.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_REFCOUNT_H
#define STACK9_SYS_REFCOUNT_H

#include <limits.h>
#include <sys/cdefs.h>
#include <sys/types.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

#define	REFCOUNT_SATURATED(value)	(((value) & (1U << 31)) != 0)
#define	REFCOUNT_SATURATION_VALUE	(3U << 30)

static inline void
stack9_refcount_saturate(volatile u_int *count)
{
	__atomic_store_n(count, REFCOUNT_SATURATION_VALUE, __ATOMIC_SEQ_CST);
}

static inline void
refcount_init(volatile u_int *count, u_int value)
{
	__atomic_store_n(count, value, __ATOMIC_SEQ_CST);
}

static inline u_int
refcount_load(volatile u_int *count)
{
	return (__atomic_load_n(count, __ATOMIC_RELAXED));
}

/* Both return what the count was. */
static inline u_int
refcount_acquiren(volatile u_int *count, u_int n)
{
	const u_int was = __atomic_fetch_add(count, n, __ATOMIC_SEQ_CST);

	if (REFCOUNT_SATURATED(was))
		stack9_refcount_saturate(count);
	return (was);
}

static inline u_int
refcount_acquire(volatile u_int *count)
{
	return (refcount_acquiren(count, 1));
}

/* False: it would overflow, and is not changed. */
static inline bool
refcount_acquire_checked(volatile u_int *count)
{
	u_int was = __atomic_load_n(count, __ATOMIC_RELAXED);

	do
		if (REFCOUNT_SATURATED(was + 1))
			return (false);
	while (!__atomic_compare_exchange_n(count, &was, was + 1, 0,
	    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
	return (true);
}

/* True: these were the last ones. */
static inline bool
refcount_releasen(volatile u_int *count, u_int n)
{
	const u_int was = __atomic_fetch_sub(count, n, __ATOMIC_SEQ_CST);

	if (was < n || REFCOUNT_SATURATED(was)) {
		stack9_refcount_saturate(count);
		return (false);
	}
	return (was == n);
}

static inline bool
refcount_release(volatile u_int *count)
{
	return (refcount_releasen(count, 1));
}

/* False: the count is at most least, and is not changed. */
static inline bool
stack9_refcount_change(volatile u_int *count, u_int least, u_int by)
{
	u_int was = __atomic_load_n(count, __ATOMIC_RELAXED);

	do
		if (was <= least)
			return (false);
		else if (REFCOUNT_SATURATED(was))
			return (true);
	while (!__atomic_compare_exchange_n(count, &was, was + by, 0,
	    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
	return (true);
}

static inline bool
refcount_acquire_if_not_zero(volatile u_int *count)
{
	return (stack9_refcount_change(count, 0, 1));
}

static inline bool
refcount_release_if_not_last(volatile u_int *count)
{
	return (stack9_refcount_change(count, 1, -1U));
}

static inline bool
refcount_acquire_if_gt(volatile u_int *count, u_int n)
{
	return (stack9_refcount_change(count, n, 1));
}

static inline bool
refcount_release_if_gt(volatile u_int *count, u_int n)
{
	return (stack9_refcount_change(count, n, -1U));
}

#endif /* STACK9_SYS_REFCOUNT_H */
