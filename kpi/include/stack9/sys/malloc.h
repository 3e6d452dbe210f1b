/*
 * The part of malloc(9) that stack(9)'s callers need: flags and malloc types.
 * malloc() and free() themselves stay libc's.  See stack(9), COMPATIBILITY.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_SYS_MALLOC_H
#define STACK9_SYS_MALLOC_H

#define	M_NOWAIT	0x0001	/* never wait; the call may fail */
#define	M_WAITOK	0x0002	/* wait until it can be done */
#define	M_ZERO		0x0100	/* zero-filled (stack_create() always does) */

struct malloc_type {
	const char	*ks_shortdesc;	/* as MALLOC_DEFINE() was given it */
	const char	*ks_longdesc;
};

#define	MALLOC_DEFINE(type, shortdesc, longdesc)			\
	struct malloc_type type[1] = { { shortdesc, longdesc } }

#ifdef __cplusplus
#define	MALLOC_DECLARE(type)	extern "C" struct malloc_type type[1]
#else
#define	MALLOC_DECLARE(type)	extern struct malloc_type type[1]
#endif

#endif /* STACK9_SYS_MALLOC_H */
