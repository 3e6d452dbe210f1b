/*
 * Declares what every file of FreeBSD's kernel takes from <sys/systm.h>: the
 * console, assertions, copies, atomic operations.  A program of which one file
 * includes this header has one console: stack9_porting(7).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_SYSTM_H
#define STACK9_SYS_SYSTM_H

/* Only the kernel's files include this header. */
#ifndef _KERNEL
#define	_KERNEL	1
#endif

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#ifdef __cplusplus
#include <cstdio>	/* they take macros back, so they come first */
#include <cstdlib>
#else
#include <stdbool.h>
#endif
#include <sys/cdefs.h>
#include <sys/libkern.h>
#include <sys/param.h>
#include <sys/pcpu.h>
#include <sys/queue.h>
#include <sys/time.h>
#include <sys/types.h>
#include <machine/atomic.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Format as sbuf_printf(9) and print on the console.  Return the length. */
int	stack9_printf(const char *fmt, ...) __printflike(1, 2);
int	stack9_vprintf(const char *fmt, va_list ap) __printflike(1, 0);

/* Prints "panic: ", the text and the caller's stack on the console, and ends
 * the process by abort(3). */
void	stack9_panic(const char *fmt, ...) __printflike(1, 2) __dead2;

/* Copy within this process: it has one address space.  Return 0; EFAULT: an
 * address is bad; ENAMETOOLONG: no NUL among the first len bytes. */
int	stack9_copyin(const void *from, void *to, size_t len);
int	stack9_copyinstr(const void *from, void *to, size_t len, size_t *done);

/* Sends the _ddb calls and trace records to the console, unless the program has
 * chosen another place for them. */
void	stack9_use_console(void);

#pragma GCC visibility pop

static inline void __attribute__((__constructor__))
stack9_this_file_has_a_console(void)
{
	stack9_use_console();
}

/* <stdio.h> was included above, so no declaration meets these macros. */
#define	printf		stack9_printf	/* its address is taken too */
#define	vprintf		stack9_vprintf
#define	uprintf		stack9_printf
#ifndef __cplusplus	/* C++ has a log() of its own */
#define	log(level, ...)	stack9_printf(__VA_ARGS__)
#define	vlog(level, fmt, ap)	((void)stack9_vprintf((fmt), (ap)))
#endif
#define	panic(...)	stack9_panic(__VA_ARGS__)
#define	kassert_panic(...)	stack9_panic(__VA_ARGS__)
#define	copyin(...)	stack9_copyin(__VA_ARGS__)
#define	copyout(...)	stack9_copyin(__VA_ARGS__)
#define	copyinstr(...)	stack9_copyinstr(__VA_ARGS__)

#ifdef INVARIANTS
#define	KASSERT(exp, msg) do {						\
	if (__predict_false(!(exp)))					\
		stack9_panic msg;					\
} while (0)
#else
#define	KASSERT(exp, msg)	do { } while (0)
#endif
#define	MPASS(exp)		MPASS4(exp, #exp, __FILE__, __LINE__)
#define	MPASS2(exp, what)	MPASS4(exp, what, __FILE__, __LINE__)
#define	MPASS3(exp, file, line)	MPASS4(exp, #exp, file, line)
#define	MPASS4(exp, what, file, line)					\
	KASSERT((exp), ("Assertion %s failed at %s:%d", what, file, line))
#define	VNASSERT(exp, vp, msg)	KASSERT(exp, msg)
#ifdef INVARIANTS
#define	__assert_unreachable()						\
	stack9_panic("executing segment marked as unreachable at %s:%d", \
	    __FILE__, __LINE__)
#else
#define	__assert_unreachable()	__builtin_unreachable()
#endif
#ifdef __cplusplus
#define	CTASSERT(exp)	static_assert(exp, #exp)
#else
#define	CTASSERT(exp)	_Static_assert(exp, #exp)
#endif

/* A process is never so early or so late as these ask. */
#define	cold			0
#define	bootverbose		0
#define	panicstr		((const char *)0)
#define	KERNEL_PANICKED()	0
#define	SCHEDULER_STOPPED()	0

/* These have no meaning in a process: the kernel may stop it at any
 * instruction. */
#define	critical_enter()	do { } while (0)
#define	critical_exit()		do { } while (0)
#define	spinlock_enter()	do { } while (0)
#define	spinlock_exit()		do { } while (0)
#define	THREAD_NO_SLEEPING()	do { } while (0)
#define	THREAD_SLEEPING_OK()	do { } while (0)
#define	THREAD_CAN_SLEEP()	1
#define	maybe_yield()		do { } while (0)

/* These would lie. */
int	tsleep(STACK9_ANY_ARGUMENTS_)
	    STACK9_ABSENT_("stack9 has no sleep queues");
int	msleep(STACK9_ANY_ARGUMENTS_)
	    STACK9_ABSENT_("stack9 has no sleep queues");
int	wakeup(STACK9_ANY_ARGUMENTS_)
	    STACK9_ABSENT_("stack9 has no sleep queues");
int	intr_disable(STACK9_ANY_ARGUMENTS_)
	    STACK9_ABSENT_("a process cannot turn interrupts off");
int	intr_restore(STACK9_ANY_ARGUMENTS_)
	    STACK9_ABSENT_("a process cannot turn interrupts off");

#ifdef __cplusplus
}
#endif

#endif /* STACK9_SYS_SYSTM_H */
