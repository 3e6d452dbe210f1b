/*
 * Lets the headers of the C library's names know if a file sees the names of
 * BSD, and who has them.  STACK9_BSD_: it sees them.  STACK9_OWN_BSD_: the
 * overlay has those that C libraries lack, under names of its own, because some
 * releases have them; libbsd's overlay has them all.  STACK9_HIDDEN_BSD_: those
 * that the C library shows to _GNU_SOURCE alone are declared.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_SYS__BSD_H
#define STACK9_SYS__BSD_H

#if defined(__USE_MISC) || defined(_BSD_SOURCE) ||			\
    defined(_DEFAULT_SOURCE) || defined(_GNU_SOURCE)
#define	STACK9_BSD_
#ifndef LIBBSD_OVERLAY
#define	STACK9_OWN_BSD_
#endif
#ifndef _GNU_SOURCE
#define	STACK9_HIDDEN_BSD_
#endif
#endif

#endif /* STACK9_SYS__BSD_H */
