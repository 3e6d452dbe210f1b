/*
 * Declares watches.  They report the stacks that lead to events.  Stacks are
 * counted in the kernel, where distinct stacks are compared by all of their
 * addresses, or are delivered one by one as the events happen.
 *
 * Errors are as in <stack9.h>, and stack9_reason() says in a sentence what
 * failed and what would help.  Only one thread at a time may use a watch,
 * except for stack9_watch_wake().  A function of the caller's that is called by
 * a watch may use every call.  Those of its own watch return EBUSY, except
 * stack9_watch_wake() and stack9_watch_fd().
 * man/stack9_watch.3 has the contracts in prose.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_WATCH_H
#define STACK9_WATCH_H

#include <stack9.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct stack9_watch;

/* The treatment of events. */
enum stack9_watch_mode {
	STACK9_WATCH_COUNT = 1,	/* counted, given by stack9_watch_each() */
	STACK9_WATCH_STREAM = 2	/* each event, given by stack9_watch_read() */
};

#define	STACK9_WATCH_ONE_CPU	0x1u	/* events on the CPU `cpu` only */
#define	STACK9_WATCH_REGEX	0x2u	/* names of events are POSIX extended
					   regular expressions, and otherwise
					   patterns with * and ? */
#define	STACK9_WATCH_OTHERS	0x4u	/* no event of the calling process or of
					   the child that reads for it; its
					   printing may be an event too */
#define	STACK9_WATCH_BY_PROCESS	0x10u	/* count each process separately, for
					   kernel stacks too */
#define	STACK9_WATCH_COPY	0x400u	/* user side: each one is copied, none
					   walked in the kernel by rules that
					   were learned from copies */
#define	STACK9_WATCH_WAKERS	0x800u	/* offcpu: samples have their wakers */
#define	STACK9_WATCH_NATIVE	0x1000u	/* user side: functions of languages are
					   not looked for */
#define	STACK9_WATCH_FRAME_POINTERS 0x20u	/* user side: walked in the
					   kernel by frame pointers; else
					   copied, and unwound as stack9_save()
					   does it */
#define	STACK9_WATCH_LIST	0x200u	/* nothing is watched:
					   stack9_watch_events() lists what
					   could be, see stack9_watch(3) */

/* The kinds of a sample's waker. */
enum stack9_waking {
	STACK9_WAKER_THREAD = 1,	/* a thread; counted: of this process */
	STACK9_WAKER_INTERRUPT,	/* an interrupt, a timer for instance: its
				   frames are the kernel's, and it has no
				   thread */
	STACK9_WAKER_UNKNOWN	/* its kernel stack is not whole, so that it may
				   be either */
};

/* The events that pass, and their treatment.  For a member that is 0 there is a
 * default, or every event passes. */
struct stack9_watch_options {
	uint32_t	 size;		/* sizeof(struct
					   stack9_watch_options) */
	uint32_t	 flags;		/* STACK9_WATCH_... */
	int32_t		 mode;		/* 0: STACK9_WATCH_COUNT */
	int32_t		 side;		/* 0: STACK9_BOTH */
	pid_t		 pid;		/* events of this process */
	pid_t		 tid;		/* events of this thread */
	int32_t		 cpu;		/* of STACK9_WATCH_ONE_CPU, or 0 */
	uint32_t	 frames;	/* of a side, at most; 0: as many as
					   kernel.perf_event_max_stack says */
	uint32_t	 stacks;	/* the kernel's tables can store so many
					   distinct stacks of each size; 0:
					   65536.  More stacks go to the
					   process */
	uint32_t	 reserved;	/* 0 */
	uint64_t	 ring;		/* bytes between kernel and process, a
					   power of 2 and of pages; 0: 2 MiB, 8
					   for a stream, 16 where user sides
					   are copied */
	uint64_t	 limit;		/* so many events, exactly */
	uint64_t	 min_ns;	/* offcpu: blocked at least so long, */
	uint64_t	 max_ns;	/* and at most so long */
	const char	*comm;		/* events of threads that have this
					   name */
	const char	*cgroup;	/* events in this directory of cgroup v2
					   and in those below it */
	uint64_t	 cookie;	/* given back in each sample, except of
					   triggers with one of their own */
	uint64_t	 rules;		/* bytes that learned rules take, at
					   most, 64 KiB to 1 GiB; 0: 16 MiB */
};

/*
 * Watches events from now on.  One event or several are named as in
 * stackcount(1):
 *	t:CATEGORY:NAME		a tracepoint; syscall:NAME a system call
 *	NAME, k:NAME[+OFFSET]	a function of the kernel
 *	u:FILE:NAME[+OFFSET]	a function of a program or library
 *	usdt:FILE:PROVIDER:NAME	a probe that a program declares
 *	cpu-clock[:HZ], page-faults[:EVERY], ...	software events of perf
 *	offcpu			a thread was blocked, and continues
 *	trigger[:DIRECTORY]	a BPF program of another tool asks
 * options may be NULL: every event passes, and both sides are counted.
 * Returns 0; ENOENT: no such event; ESRCH: options name a process or a thread
 * that does not exist; EINVAL; EPERM; EOPNOTSUPP: not on this machine; ENOMEM,
 * EMFILE; ENOSPC: more events than can be attached to (1024).
 * The call takes 3 to 12 ms, and 10 us to 1 ms for each event.
 */
int	stack9_watch_open(const char *events,
	    const struct stack9_watch_options *options,
	    struct stack9_watch **watch);

/* Stops the watch and frees all of its memory.  NULL does nothing. */
void	stack9_watch_close(struct stack9_watch *watch);

/*
 * Stores a descriptor that can be read, as poll(2) says, once an event has
 * arrived, the process has ended, or stack9_watch_wake() was called, since
 * stack9_watch_read() was called with a timeout of 0 or returned EAGAIN.  The
 * descriptor belongs to the watch: neither read nor close it.
 * Returns 0; EINVAL.
 */
int	stack9_watch_fd(struct stack9_watch *watch, int *fd);

/*
 * Reads the events that have arrived, and waits for events up to timeout_ms
 * (-1: without limit).  The events of a stream go to fn; when events are
 * counted, fn may be NULL, and counting may have to continue in the process.
 * The mappings of a process that is seen for the first time are read, so that
 * its addresses can be named when it has ended.  A program must call this all
 * the time, also if events are counted.
 * Returns 0: events were read; EAGAIN: no event arrived; ECANCELED: the next
 * call delivers the remaining events; ESRCH: the process or thread of the
 * options has ended, and all of its events have been read; EINTR: a signal, or
 * stack9_watch_wake(); EINVAL: also in a child: it has none of its parent's
 * watches and can only close them; EBUSY: called by fn; ENOMEM.
 */
int	stack9_watch_read(struct stack9_watch *watch, int timeout_ms,
	    stack9_sample_fn *fn, void *arg);

/*
 * Ends a stack9_watch_read() that waits in another thread, or if none does, the
 * next one, with EINTR.  Any thread may call it, and a signal handler, too.
 * Async-signal-safe.  Returns 0; EINVAL.
 */
int	stack9_watch_wake(struct stack9_watch *watch);

/*
 * Gives fn each distinct stack, and how often it occurred since the watch
 * began, in no order.  The call may be made at any time and repeatedly.
 * Returns 0; ECANCELED; EINVAL: a stream; EBUSY: called by fn; ENOMEM.
 */
int	stack9_watch_each(struct stack9_watch *watch, stack9_sample_fn *fn,
	    void *arg);

/*
 * Stops the watch: no event is captured from then on, and all captures under
 * way end.  Events of a stream that have arrived can still be read; those that
 * are to be counted have been counted when the call returns.
 * Returns 0, a second time too; EBUSY: called by fn; EINVAL: in a child.
 */
int	stack9_watch_stop(struct stack9_watch *watch);

/* Flags of a tally. */
#define	STACK9_TALLY_NO_WALK	0x1u	/* this kernel lacks what walks by
					   learned rules need: each user side
					   that they would have is copied */

/* The events that passed, by their outcome: events = kept + nested + no_room,
 * once the watch has been stopped. */
struct stack9_tally {
	uint32_t	size;		/* set by the caller: sizeof(struct
					   stack9_tally) */
	uint32_t	frames;		/* of a side, at most, in effect */
	uint32_t	probes;		/* number of probes attached */
	uint32_t	flags;		/* STACK9_TALLY_... */
	uint64_t	events;
	uint64_t	kept;		/* counted under their own stacks, or
					   given to fn */
	uint64_t	spilled;	/* of the kept: counted by the process,
					   because the kernel's tables were
					   full, or had another stack of the
					   same hash */
	uint64_t	no_room;	/* no free space in the tables or in the
					   ring */
	uint64_t	nested;		/* its CPU was handling 4 others */
	uint64_t	stacks;		/* distinct stacks, of the kept */
	uint64_t	truncated;	/* of the kept: deeper than was asked
					   for, or than the sysctl */
	uint64_t	skipped;	/* not among the above: not shown to the
					   program by the kernel, if the kernel
					   reports them */
	uint64_t	walked;		/* user sides walked in the kernel, by
					   learned rules */
	uint64_t	copied;		/* user sides copied, and unwound by
					   the process */
	uint64_t	refused;	/* learned rules that found no place:
					   stacks with them are copied */
	uint64_t	remembered;	/* of the walked: some frames, or all,
					   were as in an earlier event of the
					   thread */
	uint64_t	lacking;	/* of the kept: functions of a language
					   whose runtime is known here are not
					   among the frames, or not all */
};

/* Stores the numbers.  They are exact once the watch has been stopped and, of a
 * stream, stack9_watch_read() returns EAGAIN.  Returns 0; EBUSY: called by fn;
 * EINVAL, in a child too; ENOMEM. */
int	stack9_watch_tally(struct stack9_watch *watch,
	    struct stack9_tally *tally);

/* Calls fn with the name of each event that is watched.  If fn returns a value
 * other than 0, the call ends with ECANCELED.  Returns 0; ECANCELED; EINVAL. */
typedef int stack9_event_fn(void *arg, const char *event);
int	stack9_watch_events(struct stack9_watch *watch, stack9_event_fn *fn,
	    void *arg);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_WATCH_H */
