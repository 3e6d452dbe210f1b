/*
 * Declares the calls for coroutines.  One finds those of a process: the stacks
 * that a runtime keeps, and runs on threads by turns.  A coroutine that runs
 * now is on a thread, and stack9_each() has it; the others are in no thread's
 * stack.  By the other call a runtime says which stack a thread is on.
 *
 * Errors are as in <stack9.h>.  man/stack9_coroutines.3 has the contract in
 * prose.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_COROUTINES_H
#define STACK9_COROUTINES_H

#include <stack9.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct stack9_coroutine {
	uint64_t	 id;		/* its number there: Go's goid, and of
					   a task id(task) */
	const char	*runtime;	/* "go", "asyncio" */
	const char	*state;		/* in the runtime's words, such as "chan
					   receive" */
	const struct stack9_sample *sample;	/* its user side is the stack;
					   its thread has the process, and tid
					   0 */
	const char	*name;		/* of a task; "" */
	uint64_t	 waits_for;	/* id of the task that it waits for; 0:
					   it is none */
};

/*
 * A function that takes coroutines.  The coroutine is lent until the function
 * returns; stack9_sample_hold() keeps its sample.  If the function returns a
 * value other than 0, the call ends with ECANCELED.
 */
typedef int stack9_coroutine_fn(void *arg,
	    const struct stack9_coroutine *coroutine);

/*
 * Finds the coroutines of the process of td that run on no thread, and calls fn
 * once for each.  Goroutines of Go are found, of programs for x86-64 that Go's
 * own compiler made, stripped or not.  Nothing is stopped: a stack is copied
 * twice, and a goroutine that ran meanwhile is copied again, 8 times at most;
 * then its stack has EAGAIN and STACK9_WHY_TORN.  options: as for
 * stack9_each().  With STACK9_SAVE_LANGUAGES the tasks of asyncio are found,
 * too, of CPython 3.9 to 3.14: their stacks have functions of Python alone.
 * Returns 0; ENOENT: there is no runtime that is known; ESRCH; ECANCELED;
 * EPERM; EOPNOTSUPP; EINVAL; ENOMEM, EMFILE.
 * A program without coroutines costs 0.2 ms, and each coroutine some 10 us.
 */
int	stack9_coroutines(const struct stack9_thread *td,
	    const struct stack9_save_options *options, stack9_coroutine_fn *fn,
	    void *arg);

/*
 * Notes that the calling thread goes on on this stack, until it calls this
 * again.  A runtime calls it before or after a switch of stacks; the memory
 * stays mapped until the thread's next call.  NULL and 0: nothing is known of
 * the stack.
 * The thread's own captures on such a stack make no system call once warm, and
 * are compared with the last one of that stack.
 * The call is async-signal-safe, but a handler that switches stacks calls it
 * again before it returns.  A thread that has not captured takes no note.
 */
void	stack9_switch_stack(const void *low, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_COROUTINES_H */
