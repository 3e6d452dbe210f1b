/*
 * Declares the part of malloc(9) that callers of stack(9) need: flags and
 * malloc types.  malloc() and free() themselves are libc's; the COMPATIBILITY
 * section of stack(9) has more about that.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_SYS_MALLOC_H
#define STACK9_SYS_MALLOC_H

#define	M_NOWAIT	0x0001	/* never wait; the call may fail */
#define	M_WAITOK	0x0002	/* wait until it can be done */
#define	M_ZERO		0x0100	/* zero-filled (stack_create() always does) */

struct malloc_type {
	const char	*ks_shortdesc;	/* as passed to MALLOC_DEFINE() */
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
