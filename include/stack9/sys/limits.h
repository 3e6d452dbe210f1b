/*
 * Gives FreeBSD's <sys/limits.h>: the limits of C's types and of quads.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_SYS_LIMITS_H
#define STACK9_SYS_LIMITS_H

#include <limits.h>

#define	UQUAD_MAX	ULLONG_MAX
#define	QUAD_MAX	LLONG_MAX
#define	QUAD_MIN	LLONG_MIN
#ifndef SIZE_T_MAX
#define	SIZE_T_MAX	ULONG_MAX
#endif
#ifndef LONG_BIT
#define	LONG_BIT	64
#endif

#endif /* STACK9_SYS_LIMITS_H */
