/*
 * Gives the assertions of Solaris as FreeBSD's files from Solaris use them.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_DEBUG_H
#define STACK9_SYS_DEBUG_H

#include <sys/_solaris.h>
#include <sys/systm.h>

#define	VERIFY(exp) do {						\
	if (__predict_false(!(exp)))					\
		stack9_panic("solaris assert: %s, file: %s, line: %d",	\
		    #exp, __FILE__, __LINE__);				\
} while (0)
#ifdef INVARIANTS
#define	ASSERT(exp)	VERIFY(exp)
#else
#define	ASSERT(exp)	((void)0)
#endif

#endif /* STACK9_SYS_DEBUG_H */
