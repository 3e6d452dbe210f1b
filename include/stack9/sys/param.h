/*
 * Adds FreeBSD's constants and macros to glibc's <sys/param.h>: pages, counts,
 * rounding, error numbers.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#include "_visible.h"
#include_next <sys/param.h>

#ifndef STACK9_SYS_PARAM_H
#define STACK9_SYS_PARAM_H

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <sys/cdefs.h>
#include <sys/time.h>
#include <sys/types.h>
#include <unistd.h>

#ifndef nitems
#define	nitems(x)	(sizeof((x)) / sizeof((x)[0]))
#endif

#include "_page.h"
#define	trunc_page(x)	((unsigned long)(x) & ~(unsigned long)PAGE_MASK)
#define	round_page(x)	trunc_page((unsigned long)(x) + PAGE_MASK)

#ifndef roundup
#define	roundup(x, y)	((((x) + ((y) - 1)) / (y)) * (y))
#endif
#define	roundup2(x, y)	(((x) + ((y) - 1)) & ~((y) - 1))
#define	rounddown(x, y)	(((x) / (y)) * (y))
#define	rounddown2(x, y)	((x) & ~((y) - 1))

#define	CACHE_LINE_SHIFT	6
#define	CACHE_LINE_SIZE	(1 << CACHE_LINE_SHIFT)
#define	MAXCPU		1024
#ifndef MAXCOMLEN
#define	MAXCOMLEN	19	/* longest name, without its NUL */
#endif
#define	FSHIFT		11	/* bits after the point of a fixpt_t */
#define	FSCALE		(1 << FSHIFT)

/* Bits of the last argument of a sleep; they are here for code that stores
 * them. */
#define	PZERO		84
#define	PCATCH		0x100
#define	PDROP		0x200

#define	member2struct(s, m, x)	__containerof(x, struct s, m)

#endif /* STACK9_SYS_PARAM_H */
