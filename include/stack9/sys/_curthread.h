/*
 * Declares the calling thread and its CPU, for <sys/proc.h> and <sys/pcpu.h>.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_SYS__CURTHREAD_H
#define STACK9_SYS__CURTHREAD_H

struct thread;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct thread	*stack9_curthread(void);
int		 stack9_curcpu(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* The calling thread.  The pointer is valid as long as the thread lives.  The
 * macro is async-signal-safe. */
#define	curthread		(stack9_curthread())

#endif /* STACK9_SYS__CURTHREAD_H */
