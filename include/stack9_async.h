/*
 * Declares asynchronous captures: submit now, collect when ready.
 *
 * The kernel side is captured when a thread is submitted.  The thread itself
 * captures its user side when it next returns to user space, where it may wait
 * for its memory.  No thread is stopped or woken, unless STACK9_NOW asks for
 * it.  No two submissions share an id, and none is merged with another.
 *
 * Errors are as in <stack9.h>, and:
 *	ENOBUFS		no free slot		ECANCELED	stack9_cancel()
 *	EALREADY	it was over already
 * All calls are thread-safe, none is async-signal-safe.  A submission belongs
 * to the process that made it: a forked child has none of its parent's
 * submissions, and they end when the process ends.  man/stack9_submit.3 has the
 * contracts in prose.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_ASYNC_H
#define STACK9_ASYNC_H

#include <stack9.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Names a submission, from stack9_submit() or an event to stack9_release().  An
 * id is never 0, and never given out twice. */
typedef uint64_t stack9_id;

#define	STACK9_NOW	0x8	/* wake the thread: its blocking call may
				   return early, as from a signal without a
				   handler */

/*
 * Asks for the stacks of td, which may be of any process.
 * flags: 0 or STACK9_NOW.
 * Returns 0: *id has to be released some day; ENOBUFS: all slots are in use;
 * ESRCH; EAGAIN: td has only just begun, or the program has closed the
 * library's descriptors; EPERM; EOPNOTSUPP: not on this machine, or side is
 * STACK9_USER and td is a kernel thread; EINVAL; ENOMEM, EMFILE.
 * *id is written only if 0 is returned.  The call makes one system call, which
 * takes 3 us, and the kernel interrupts the CPU it is called on, which takes 7
 * more on a virtual machine.  If the thread is on another CPU, and its kernel
 * side is asked for, the call takes 30 us.
 */
int	stack9_submit(const struct stack9_thread *td, enum stack9_side side,
	    unsigned int flags, stack9_id *id);

/*
 * Returns the state of a submission and its stacks, any number of times.
 * Either record, or both, may be NULL.  Else a record is as for stack9_save():
 * the caller sets pcs and max, and for user also space, or NULL for a space for
 * this capture only.  A process that may end meanwhile needs a space that was
 * opened before.
 * Returns 0: it is over, and each record has its side, with an error of its own
 * (EINVAL: that side was not asked for; EFAULT: it has no stack); EAGAIN: the
 * thread has not returned to user space; ESRCH: the thread has ended, and will
 * not return; ECANCELED; ENOENT: the id is unknown, or has been released;
 * EINVAL: id is 0, or a record has max 0.
 * For EAGAIN and ESRCH, kernel is filled in too.
 */
int	stack9_collect(stack9_id id, struct stack9_record *kernel,
	    struct stack9_record *user);

/* Cancels a submission: stack9_collect() returns ECANCELED from then on.  The
 * id has still to be released.  Returns 0; EALREADY: it was over before;
 * ENOENT. */
int	stack9_cancel(stack9_id id);

/* Releases the id and its memory, in any state of the submission.  Returns 0;
 * ENOENT. */
int	stack9_release(stack9_id id);

/* An element of the stream. */
struct stack9_arrival {
	stack9_id	id;		/* submission over; 0: see dropped */
	uint64_t	cookie;		/* of the event that submitted it; 0 */
	uint64_t	dropped;	/* events that were lost because no slot
					   was free, since the last element */
};

/*
 * Takes up to max elements from the stream, in the order in which they became
 * ready, and stores their number in *count.  Each id comes once, cancelled ones
 * too, unless it is released before.  A process has one stream.
 * Returns 0: at least one element; EAGAIN: no element is ready at the moment;
 * EINVAL; and the errors of stack9_submit().
 */
int	stack9_ready(struct stack9_arrival *ready, size_t max, size_t *count);

/*
 * Stores a descriptor that can be read, as poll(2) and epoll(7) say, while
 * stack9_ready() may have an element.  The descriptor belongs to the library:
 * neither read nor close it.  Returns 0; and the errors of stack9_submit().
 */
int	stack9_ready_fd(int *fd);

/*
 * Sets how much memory submissions may use at once: so many slots of 16 KiB
 * each, and bytes more for stacks of which more than 14 KiB are in use.  The
 * default is 1024 and 4 MiB.  All of this memory is allocated by the first call
 * that submits, watches, or asks for ready elements.
 * Returns 0; EINVAL: captures is 0 or more than a million, or bytes is more
 * than 1 MiB for each; EBUSY: the memory is allocated already.
 */
int	stack9_async_limit(uint32_t captures, size_t bytes);

/* An event, the threads that it submits, and the sides to capture. */
struct stack9_event {
	const char	*name;		/* "rawtracepoint:sched_switch": any
					   tracepoint of the kernel;
					   "profile:hz:99": on each CPU so many
					   times a second */
	pid_t		 pid;		/* threads of this process only; 0: of
					   all processes */
	pid_t		 tid;		/* this thread only; 0: all threads */
	enum stack9_side side;
	uint64_t	 cookie;	/* given back by stack9_ready() */
};

/*
 * Submits, from then on, each thread to which event happens, when it happens.
 * stack9_ready() delivers the ids.  Kernel threads are submitted only if their
 * kernel side is asked for.
 * Returns 0; ENOENT: no event has that name; ENOBUFS: 16 events are watched
 * already; EPERM; EOPNOTSUPP: not on this machine; EINVAL; ENOMEM, EMFILE.
 * stack9_submit_off() ends the watch; threads that were submitted before remain
 * submitted.  stack9_submit_off(NULL) does nothing.
 */
struct stack9_submitter;
int	stack9_submit_on(const struct stack9_event *event,
	    struct stack9_submitter **watch);
void	stack9_submit_off(struct stack9_submitter *watch);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_ASYNC_H */
