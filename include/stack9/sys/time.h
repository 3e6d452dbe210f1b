/*
 * Adds to the C library's <sys/time.h> the kernel's clocks and the arithmetic
 * of its times, only after <sys/systm.h> or <sys/kernel.h>.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#include_next <sys/time.h>

#include <time.h>

/* A file that asks for an old POSIX has no clock_gettime(). */
#if defined(_KERNEL) && defined(CLOCK_BOOTTIME) && \
    !defined(STACK9_SYS_TIME_H)
#define STACK9_SYS_TIME_H

static inline void
stack9_timeval_now(struct timeval *tv, clockid_t clock)
{
	struct timespec ts;

	(void)clock_gettime(clock, &ts);
	tv->tv_sec = ts.tv_sec;
	tv->tv_usec = ts.tv_nsec / 1000;
}

/* Those with "up" count from the boot, the others from 1970. */
#define	microuptime(tv)		stack9_timeval_now((tv), CLOCK_BOOTTIME)
#define	getmicrouptime(tv)	stack9_timeval_now((tv), CLOCK_BOOTTIME)
#define	microtime(tv)		stack9_timeval_now((tv), CLOCK_REALTIME)
#define	getmicrotime(tv)	stack9_timeval_now((tv), CLOCK_REALTIME)
#define	nanouptime(ts)		((void)clock_gettime(CLOCK_BOOTTIME, (ts)))
#define	getnanouptime(ts)	((void)clock_gettime(CLOCK_BOOTTIME, (ts)))
#define	nanotime(ts)		((void)clock_gettime(CLOCK_REALTIME, (ts)))
#define	getnanotime(ts)		((void)clock_gettime(CLOCK_REALTIME, (ts)))

static inline void
stack9_timevaladd(struct timeval *to, const struct timeval *add, int sign)
{
	to->tv_sec += sign * add->tv_sec;
	to->tv_usec += sign * add->tv_usec;
	if (to->tv_usec < 0) {
		to->tv_sec--;
		to->tv_usec += 1000000;
	} else if (to->tv_usec >= 1000000) {
		to->tv_sec++;
		to->tv_usec -= 1000000;
	}
}
#define	timevaladd(to, add)	stack9_timevaladd((to), (add), 1)
#define	timevalsub(to, sub)	stack9_timevaladd((to), (sub), -1)

#endif /* _KERNEL, STACK9_SYS_TIME_H */
