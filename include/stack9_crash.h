/*
 * Declares the crash handler: one call, after which a crash of the program
 * writes a report before it takes its course.  stack9_crash(3) says what the
 * handler may do and what it may not.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_CRASH_H
#define STACK9_CRASH_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Flags of stack9_crash_install(): parts that a report leaves out. */
#define	STACK9_CRASH_ONE_THREAD	0x1u	/* other threads: none is stopped */
#define	STACK9_CRASH_NO_KERNEL	0x2u	/* the kernel sides of threads */
#define	STACK9_CRASH_NO_MODULES	0x4u	/* the files with their build-ids */

/*
 * Installs a handler for SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP and
 * SIGSYS, and gives the calling thread an alternate stack.  A crash writes a
 * report to fd (it stays the caller's and open); then the signal has the effect
 * that it would have had without this call.  Called again, it changes fd and
 * flags.
 * Returns 0; EINVAL: unknown flags; EBADF: fd is not open for writing; ENOMEM.
 */
int	stack9_crash_install(int fd, unsigned int flags);

/*
 * Gives the calling thread an alternate stack, unless it has one of 16 KiB or
 * more, so that the overflow of its stack is reported, too.  The stack is
 * given back when the thread ends.
 * Returns 0; ENOMEM.
 */
int	stack9_crash_thread(void);

/*
 * Restores what the signals had before stack9_crash_install().  A signal whose
 * handler has been replaced since is left as it is.
 */
void	stack9_crash_remove(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_CRASH_H */
