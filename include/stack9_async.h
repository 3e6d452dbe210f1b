/*
 * Declares asynchronous captures: submit now, collect when ready.
 *
 * The kernel side is captured when a thread is submitted.  The thread itself
 * captures its user side when it next returns to user space, where it may wait
 * for its memory.  No thread is stopped or woken, unless STACK9_ASYNC_WAKE asks
 * for it.  No two submissions share an id, and none is merged with another.
 *
 * Each part of a program opens a stream of its own, to which its submissions
 * belong.  Errors are as in <stack9.h>, and:
 *	ENOBUFS		no free slot		ECANCELED	it was cancelled
 *	EALREADY	it was over already
 * All calls are thread-safe.  A stream belongs to the process that opened it: a
 * forked child has none of its parent's submissions and can only close the
 * stream; the submissions end when the process ends.  man/stack9_async.3 has
 * the contracts in prose.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_ASYNC_H
#define STACK9_ASYNC_H

#include <stack9.h>
#include <stack9_watch.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct stack9_async;

/* Names a submission, from stack9_async_submit() or an event to
 * stack9_async_release().  An id is never 0, and never given out twice. */
typedef uint64_t stack9_id;

/*
 * Opens a stream.  stack9_async_close() ends its events and releases all of its
 * submissions; NULL does nothing.
 * Returns 0; EINVAL; EPERM; EOPNOTSUPP: not on this machine; ENOMEM, EMFILE.
 */
int	stack9_async_open(struct stack9_async **stream);
void	stack9_async_close(struct stack9_async *stream);

#define	STACK9_ASYNC_WAKE	0x1u	/* wake the thread: its blocking call
					   may return early, as from a signal
					   without a handler */

/*
 * Asks for the stacks of td, a thread of any process.
 * flags: 0 or STACK9_ASYNC_WAKE.  cookie: comes back with the stacks.
 * Returns 0: *id has to be released some day, or the stream to be closed;
 * ENOBUFS: all slots are in use; ESRCH; EAGAIN: td has only just begun, or the
 * program has closed the library's descriptors; EPERM; EOPNOTSUPP: not on this
 * machine, or side is STACK9_USER and td is a kernel thread; EINVAL; ENOMEM,
 * EMFILE.
 * *id is written only if 0 is returned.  The call makes one system call of 3
 * us, and the kernel interrupts the CPU it is called on.  This takes 7 us more
 * on a virtual machine.  If the thread is on another CPU, and its kernel side
 * is asked for, the call takes 30 us.  If the thread runs meanwhile, the call
 * asks again, and may wait 25 ms for the slot that the thread frees.
 */
int	stack9_async_submit(struct stack9_async *stream,
	    const struct stack9_thread *td, int side, unsigned int flags,
	    uint64_t cookie, stack9_id *id);

/*
 * Stores the stacks of a submission, any number of times; the caller closes the
 * sample.  space may be the space of the process, or NULL for the space that
 * the process has now.  A process that may end meanwhile needs a space that was
 * opened before.
 * Returns 0: the user side is there, if it was asked for; EAGAIN: it is still
 * under way; ESRCH: the thread ended before; ECANCELED; ENOENT: the id is
 * unknown, of another stream, or released; EINVAL; or an error that the user
 * side has by itself.  *sample is stored for 0, EAGAIN, ESRCH and errors of the
 * user side, with the kernel side that there is; otherwise it becomes NULL.
 */
int	stack9_async_collect(struct stack9_async *stream, stack9_id id,
	    struct stack9_space *space, struct stack9_sample **sample);

/* Cancels a submission: stack9_async_collect() returns ECANCELED from then on.
 * The id has still to be released.  Returns 0; EALREADY: it was over before;
 * ENOENT. */
int	stack9_async_cancel(struct stack9_async *stream, stack9_id id);

/* Releases the id and its memory, in any state of the submission.  Returns 0;
 * ENOENT. */
int	stack9_async_release(struct stack9_async *stream, stack9_id id);

/* A submission that is over. */
struct stack9_ready {
	uint32_t	size;		/* set by the caller: sizeof(struct
					   stack9_ready) */
	uint32_t	reserved;	/* 0 */
	stack9_id	id;		/* 0: see dropped */
	uint64_t	cookie;		/* of the submission, or of its event */
	uint64_t	dropped;	/* events of the stream that were lost
					   because no slot was free, since the
					   last one */
};

/*
 * Takes the next submission of the stream that is over, in the order in which
 * they became ready.  Each id comes once, cancelled ones too, unless it is
 * released before.
 * Returns 0; EAGAIN: none is ready at the moment; EINVAL; ENOMEM, EMFILE.
 */
int	stack9_async_next(struct stack9_async *stream,
	    struct stack9_ready *ready);

/*
 * Stores a descriptor that can be read, as poll(2) and epoll(7) say, while
 * stack9_async_next() may have a submission.  The descriptor belongs to the
 * stream: neither read nor close it.  Returns 0; EINVAL.
 */
int	stack9_async_fd(struct stack9_async *stream, int *fd);

/*
 * Submits, from then on, each thread to which an event happens, when it
 * happens.  events is t:CATEGORY:NAME or cpu-clock:HZ, as in
 * stack9_watch_open().  The options size, pid, tid, side and cookie count; the
 * others have to be 0.  Kernel threads are submitted only if their kernel
 * side is asked for.  The events end with the stream.
 * Returns 0; ENOENT: no event has that name and category; ENOBUFS: 16 events
 * are watched already; EPERM; EOPNOTSUPP: not on this machine, or not of this
 * event; EINVAL; ENOMEM, EMFILE.
 */
int	stack9_async_watch(struct stack9_async *stream, const char *events,
	    const struct stack9_watch_options *options);

/*
 * Sets how much memory submissions of all streams may use at once: so many
 * slots of 16 KiB each, and bytes more for stacks of which more than 14 KiB are
 * in use.  The default is 1024 and 4 MiB.  All of this memory is allocated when
 * the first stream is opened.
 * Returns 0; EINVAL: captures is 0 or more than a million, or bytes is more
 * than 1 MiB for each; EBUSY: the memory is allocated already.
 */
int	stack9_async_limit(uint32_t captures, size_t bytes);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_ASYNC_H */
