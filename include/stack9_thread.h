/*
 * Declares threads, and the calls that find them.  <stack9.h> includes it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_THREAD_H
#define STACK9_THREAD_H

#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Names a thread for good: a tid may be reused, but not with the same start. */
struct stack9_thread {
	pid_t		tid;	/* in the caller's pid namespace */
	pid_t		pid;	/* its process, in that namespace too */
	uint64_t	start;	/* ticks (sysconf(_SC_CLK_TCK) a second) since
				   boot, as /proc/TID/stat has it; 0: any thread
				   with the tid.  execve(2) keeps it */
};

/*
 * Find the calling thread, or the thread that has this tid now.
 * Returns 0; EINVAL: tid < 1; ESRCH; EOPNOTSUPP: /proc is not mounted.  A call
 * reads /proc twice; _self does that once a thread.
 */
int	stack9_thread_self(struct stack9_thread *td);
int	stack9_thread_find(pid_t tid, struct stack9_thread *td);

/*
 * Lists the threads of a process, of which td is any thread, by ascending tid.
 * At most max of them are stored in list; it may be NULL if max is 0.  *count
 * is the number that there are, maybe more than max.
 * Returns 0; EINVAL; ESRCH; EPERM; EOPNOTSUPP: /proc is not mounted; EMFILE.
 * A thread costs 10 us.
 */
int	stack9_thread_list(const struct stack9_thread *td,
	    struct stack9_thread *list, uint32_t max, uint32_t *count);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_THREAD_H */
