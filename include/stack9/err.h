/*
 * Adds to the C library's <err.h> the calls that take an error's number.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#include <sys/_visible.h>
#include_next <err.h>

#include <sys/_bsd.h>
#if defined(STACK9_BSD_) && !defined(STACK9_ERR_H)
#define	STACK9_ERR_H

#ifdef STACK9_OWN_BSD_
#include <errno.h>
#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The calls of the C library print the text of errno. */
static inline void __attribute__((__format__(__printf__, 2, 0)))
stack9_vwarnc(int code, const char *fmt, va_list ap)
{
	const int kept = errno;

	errno = code;
	vwarn(fmt, ap);
	errno = kept;
}

static inline void __attribute__((__format__(__printf__, 2, 3)))
stack9_warnc(int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	stack9_vwarnc(code, fmt, ap);
	va_end(ap);
}

static inline void __attribute__((__noreturn__, __format__(__printf__, 3, 0)))
stack9_verrc(int status, int code, const char *fmt, va_list ap)
{
	errno = code;
	verr(status, fmt, ap);
}

static inline void __attribute__((__noreturn__, __format__(__printf__, 3, 4)))
stack9_errc(int status, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	stack9_verrc(status, code, fmt, ap);
}

#ifdef __cplusplus
}
#endif

#define	vwarnc	stack9_vwarnc
#define	warnc	stack9_warnc
#define	verrc	stack9_verrc
#define	errc	stack9_errc
#endif

#endif /* STACK9_BSD_, STACK9_ERR_H */
