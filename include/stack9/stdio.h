/*
 * Adds to the C library's <stdio.h> what FreeBSD's shows to every file.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#include <sys/_visible.h>
#include_next <stdio.h>

#include <sys/_bsd.h>
#if defined(STACK9_BSD_) && !defined(STACK9_STDIO_H)
#define	STACK9_STDIO_H

#include <stdarg.h>
#include <stdio_ext.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef STACK9_HIDDEN_BSD_
int	asprintf(char **to, const char *fmt, ...)
	    __attribute__((__format__(__printf__, 2, 3)));
int	vasprintf(char **to, const char *fmt, va_list ap)
	    __attribute__((__format__(__printf__, 2, 0)));
#endif

#ifdef STACK9_OWN_BSD_
/* Throws away what is buffered. */
static inline int
stack9_fpurge(FILE *f)
{
	__fpurge(f);
	return (0);
}
#define	fpurge	stack9_fpurge
#endif

#ifdef __cplusplus
}
#endif

#endif /* STACK9_BSD_, STACK9_STDIO_H */
