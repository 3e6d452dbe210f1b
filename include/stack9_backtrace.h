/*
 * Declares the calls that libstack9_backtrace has beside backtrace(3) and its
 * like: the ones for jemalloc.  stack9_backtrace(3) says what the library may
 * do and what it may not.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_BACKTRACE_H
#define STACK9_BACKTRACE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The type of jemalloc's mallctl(3). */
typedef int stack9_mallctl_fn(const char *name, void *old, size_t *old_size,
	    void *value, size_t size);

/*
 * Makes jemalloc take the stacks of its heap profiles by this library.  mallctl
 * is that of a jemalloc whose calls have a prefix, such as je_mallctl; NULL
 * means the program's own.
 * Returns 0; EOPNOTSUPP: there is no jemalloc, or it has no such hook (5.3 has
 * it, if it was built with heap profiles); another errno of mallctl(3).
 */
int	stack9_set_jemalloc(stack9_mallctl_fn *mallctl);

/*
 * The function for the hook: stores the caller's stack, of at most max frames,
 * and its depth.  Async-signal-safe.
 */
void	stack9_jemalloc_backtrace(void **pcs, unsigned int *depth,
	    unsigned int max);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_BACKTRACE_H */
