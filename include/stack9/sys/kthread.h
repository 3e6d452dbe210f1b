/*
 * Starts kthread(9)'s threads.  Here they are threads of this process.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_KTHREAD_H
#define STACK9_SYS_KTHREAD_H

#include <sys/cdefs.h>

struct proc;
struct thread;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Runs func(arg) in a new thread with a name of at most 15 characters.  p,
 * flags and pages mean nothing here.  The thread is in its function, or about
 * to be, when the call returns.  *newtdp is valid while the thread lives.
 * Returns 0; EAGAIN: no thread can be made. */
int	stack9_kthread_add(void (*func)(void *), void *arg, struct proc *p,
	    struct thread **newtdp, int flags, int pages, const char *fmt, ...)
	    __printflike(7, 8);
/* Ends the calling thread, as a return from its function does. */
void	stack9_kthread_exit(void) __dead2;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#define	kthread_add(...)	stack9_kthread_add(__VA_ARGS__)
#define	kthread_exit(...)	stack9_kthread_exit(__VA_ARGS__)

#endif /* STACK9_SYS_KTHREAD_H */
