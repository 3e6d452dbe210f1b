/*
 * stack9: asynchronous captures.  Submit now, collect when ready.
 *
 * The kernel side is captured when a thread is submitted, the user side by the
 * thread itself when it next returns to user space, where it may wait for its
 * memory.  Nobody is stopped or woken, unless STACK9_NOW asks for it.  No two
 * submissions share an id, and none is merged with another.
 *
 * Errors as in <stack9.h>, and:
 *	ENOBUFS		no room for more	ECANCELED	stack9_cancel()
 *	EALREADY	it was over already
 * All calls are thread-safe, none is async-signal-safe.  What is under way
 * belongs to the process: a forked child has none of it, and its end ends it.
 * man/stack9_submit.3 says the same in prose.
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

/* A capture, from stack9_submit() or an event to stack9_release().  Never 0,
 * never given out twice. */
typedef uint64_t stack9_id;

#define	STACK9_NOW	0x8	/* wake the thread: its blocking call may
				   return early, as from a signal without a
				   handler */

/*
 * Ask for the stacks of td, which may be of any process.
 * flags: 0 or STACK9_NOW.
 * 0: *id is to be released some day; ENOBUFS: so many are held as there is
 * room for; ESRCH; EAGAIN: td has only just begun, or somebody has closed the
 * library's descriptors; EPERM; EOPNOTSUPP: not on this machine, or
 * STACK9_USER and a kernel thread; EINVAL; ENOMEM, EMFILE.
 * *id is written on 0 only.  One system call: 3 us, and the kernel's interrupt
 * of the CPU it is called on, on a virtual machine 7 more; where the thread is
 * on another CPU, and its kernel side is wanted, 30.
 */
int	stack9_submit(const struct stack9_thread *td, enum stack9_side side,
	    unsigned int flags, stack9_id *id);

/*
 * What became of it, as often as is wanted.  Either record, or both, may be
 * NULL; else as for stack9_save(): pcs and max given, and for user its space,
 * or NULL for one for this capture only.  A process that may end meanwhile
 * needs a space that was opened before.
 * 0: it is over, and each record has its side, with an error of its own
 * (EINVAL: that side was not asked for; EFAULT: it has no stack); EAGAIN: the
 * thread has not returned to user space; ESRCH: nor will it, for it has ended;
 * in both cases kernel is filled in.  ECANCELED; ENOENT: no such id, or no
 * longer; EINVAL: 0, or a record without room.
 */
int	stack9_collect(stack9_id id, struct stack9_record *kernel,
	    struct stack9_record *user);

/* Take it back: stack9_collect() says ECANCELED from then on.  The id is still
 * to be released.  0; EALREADY: it was over before; ENOENT. */
int	stack9_cancel(stack9_id id);

/* Give the id and its memory back, whatever has become of it.  0; ENOENT. */
int	stack9_release(stack9_id id);

/* An element of the stream. */
struct stack9_arrival {
	stack9_id	id;		/* which is over; 0: see dropped */
	uint64_t	cookie;		/* of the event that submitted it; 0 */
	uint64_t	dropped;	/* events for which there was no room,
					   since the last element */
};

/*
 * Up to max elements, in the order in which they became ready: each id once,
 * cancelled ones too, unless it is released before.  *count is how many.  One
 * stream a process.
 * 0: one at least; EAGAIN: none just now; EINVAL; and stack9_submit()'s.
 */
int	stack9_ready(struct stack9_arrival *ready, size_t max, size_t *count);

/*
 * A descriptor that can be read, as poll(2) and epoll(7) say, while
 * stack9_ready() may have something.  It is the library's: neither read nor
 * close it.  0; and stack9_submit()'s errors.
 */
int	stack9_ready_fd(int *fd);

/*
 * How much may be held at once: so many captures, of 16 KiB each, and bytes
 * more for stacks of which more than 14 KiB are in use.  1024 and 4 MiB unless
 * set; all of it is allocated by the first call that submits, watches or asks
 * for what is ready.
 * 0; EINVAL: no captures or more than a million, or more than 1 MiB of bytes
 * for each; EBUSY: too late.
 */
int	stack9_async_limit(uint32_t captures, size_t bytes);

/* An event, and for whom it submits what. */
struct stack9_event {
	const char	*name;		/* "rawtracepoint:sched_switch": any of
					   the kernel's; "profile:hz:99": on
					   each CPU so many times a second */
	pid_t		 pid;		/* its threads only; 0: of all */
	pid_t		 tid;		/* this thread only; 0: all */
	enum stack9_side side;
	uint64_t	 cookie;	/* given back by stack9_ready() */
};

/*
 * Submit, from then on, each thread to which event happens, when it happens.
 * The ids come by stack9_ready().  Kernel threads only if their kernel side is
 * wanted.
 * 0; ENOENT: no event of that name; ENOBUFS: 16 are watched already; EPERM;
 * EOPNOTSUPP: not on this machine; EINVAL; ENOMEM, EMFILE.
 * unwatch(NULL) does nothing; what was submitted before goes its way.
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
