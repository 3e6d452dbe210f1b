/*
 * Declares watches, which report the stacks that lead to events.  Stacks are
 * counted in the kernel, where distinct stacks are compared by all of their
 * addresses, or are delivered one by one as the events happen.
 *
 * Errors are as in <stack9.h>.  If a call has a reason, that says in a sentence
 * what failed and what would help.  Only one thread at a time may use a watch.
 * A call is thread-safe only if its comment says so; no call is
 * async-signal-safe.  man/stack9_watch.3 has the contracts in prose.
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

/* The events that pass.  A member that is 0 lets every event pass. */
struct stack9_filter {
	pid_t		 pid;		/* events of this process */
	pid_t		 tid;		/* events of this thread */
	const char	*comm;		/* events of threads that have this
					   name, or NULL */
	const char	*cgroup;	/* events in this directory of cgroup v2
					   and in those below it, or NULL */
	unsigned int	 flags;		/* STACK9_ONE_CPU, ... */
	int		 cpu;		/* STACK9_ONE_CPU: events on this CPU */
	uint64_t	 limit;		/* so many events, exactly; 0: all */
	uint64_t	 min_ns;	/* offcpu: blocked at least so long, */
	uint64_t	 max_ns;	/* and at most so long; 0: no limit */
};

#define	STACK9_ONE_CPU	0x1
#define	STACK9_REGEX	0x2		/* names of events are POSIX extended
					   regular expressions, else patterns
					   with * and ? */
#define	STACK9_OTHERS	0x4		/* no event of the calling process; its
					   printing may be an event too */

/* One event, or all that had the same stacks. */
struct stack9_sample {
	struct stack9_thread thread;	/* counted: tid 0, and pid 0 if
					   processes are not counted
					   separately */
	char		 comm[17];	/* the thread's name; counted: that of
					   the process when it was first seen */
	int		 cpu;		/* counted: -1 */
	uint64_t	 when_ns;	/* CLOCK_BOOTTIME; counted: 0 */
	uint64_t	 events;	/* 1; counted: their number */
	uint64_t	 weight_ns;	/* offcpu: the time blocked, in total */
	const char	*event;		/* the event, by the name that
					   stack9_watch_each_event() gives it;
					   NULL: several, not distinguished */
	uint64_t	 dropped;	/* events of the stream that were lost
					   since the last sample */
	/* NULL: not asked for; depth 0: error and why give the reason. */
	const struct stack9_record *kernel;
	const struct stack9_record *user;
};

/* The sample is valid during fn only; stack9_space_hold() keeps a space.  If fn
 * returns a value other than 0, the call that called fn ends and returns it. */
typedef int stack9_sample_fn(void *arg, const struct stack9_sample *sample);

enum stack9_sink_kind {
	STACK9_COUNT = 1,	/* counted, given by stack9_watch_counts() */
	STACK9_STREAM = 2	/* each event, given by stack9_watch_read() */
};

/* The treatment of events.  For a member that is 0 there is a default. */
struct stack9_sink {
	enum stack9_sink_kind what;
	enum stack9_side side;
	unsigned int	 flags;		/* STACK9_BY_PROCESS, ... */
	uint32_t	 frames;	/* of a side, at most; 0: as many as
					   kernel.perf_event_max_stack says */
	uint32_t	 stacks;	/* STACK9_COUNT: the kernel's tables can
					   store so many distinct stacks of each
					   size; 0: 65536.  More stacks go to
					   the process */
	size_t		 ring;		/* bytes between kernel and process, a
					   power of 2 and of pages; 0: 2 MiB, 8
					   for a stream, 16 where user sides
					   are copied */
	stack9_sample_fn *fn;
	void		*arg;
};

#define	STACK9_BY_PROCESS	0x10	/* count each process separately, for
					   kernel stacks too */
#define	STACK9_BY_FRAME_POINTERS 0x20	/* user side: walked in the kernel by
					   frame pointers; else copied, and
					   unwound as stack9_save() does it */
#define	STACK9_STACKID		0x40	/* STACK9_COUNT: by the kernel's own map
					   of stacks, which loses those that
					   collide; for comparison */
#define	STACK9_STACKID_FAST	0x80	/* and compare only their hashes */
#define	STACK9_STACKID_REUSE	0x100	/* and the later stack replaces the
					   earlier one, whose events are then
					   shown under the later one */

/* The events that passed the filter, by their outcome: events = kept + nested +
 * no_room + collided, once the watch has been stopped. */
struct stack9_watch_tally {
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
	uint64_t	collided;	/* STACK9_STACKID */
	uint64_t	stacks;		/* distinct stacks, of the kept */
	uint64_t	truncated;	/* of the kept: deeper than was asked
					   for, or than the sysctl */
	uint64_t	skipped;	/* not among the above: not shown to the
					   program by the kernel, if the kernel
					   reports them */
	uint32_t	frames;		/* of a side, at most, in effect */
	uint32_t	points;		/* number of points attached to */
};

struct stack9_watcher;

#define	STACK9_REASON_MAX	512

/*
 * Watches events from now on.  One event or several are named as in
 * stackcount(1):
 *	t:CATEGORY:NAME		a tracepoint; syscall:NAME a system call
 *	NAME, k:NAME[+OFFSET]	a function of the kernel
 *	u:FILE:NAME[+OFFSET]	a function of a program or library
 *	usdt:FILE:PROVIDER:NAME	a probe that a program declares
 *	cpu-clock[:HZ], page-faults[:EVERY], ...	software events of perf
 *	offcpu			a thread was blocked, and continues
 * filter may be NULL: every event passes.  reason has STACK9_REASON_MAX bytes,
 * or is NULL; it becomes "" if 0 is returned.
 * Returns 0; ENOENT: no such event; EINVAL; EPERM; EOPNOTSUPP: not on this
 * machine; ENOMEM, EMFILE; ENOSPC: more events than can be attached to (1024).
 * The call takes 3 to 12 ms, and 10 us to 1 ms for each event.
 */
int	stack9_watch(const char *event, const struct stack9_filter *filter,
	    const struct stack9_sink *sink, struct stack9_watcher **watch,
	    char *reason);

/* Returns a descriptor that can be read, as poll(2) says, once an event has
 * arrived since stack9_watch_read() was called with a timeout of 0, or returned
 * EAGAIN.  The descriptor belongs to the watch: neither read nor close it. */
int	stack9_watch_fd(const struct stack9_watcher *watch);

/*
 * Reads the events that have arrived, and waits for events up to timeout_ms
 * (-1:
 * without limit).  The events of a stream go to fn.  Counting may have to
 * continue in the process.  The mappings of a process that is seen for the
 * first time are read, so that its addresses can be named when it has ended.
 * A program must call this all the time, also if events are counted.
 * Returns 0; EAGAIN: no event arrived; EINTR; EINVAL: also in a child, which
 * has none of its parent's watches and can only close them; EBUSY: called by
 * fn; ENOMEM; or the value other than 0 that fn returned: the next call
 * delivers the remaining events.
 */
int	stack9_watch_read(struct stack9_watcher *watch, int timeout_ms);

/*
 * STACK9_COUNT: gives fn each distinct stack, and how often it occurred since
 * the watch began, in no order.  The call may be made at any time and
 * repeatedly.
 * Returns 0; EINVAL: a stream; EBUSY: called by fn; ENOMEM; or the value that
 * fn returned.
 */
int	stack9_watch_counts(struct stack9_watcher *watch);

/* Stops the watch: no event is captured from then on, and all captures under
 * way end.  The events that have arrived can still be read.  Returns 0, a
 * second time too; EBUSY: called by fn; EINVAL: in a child. */
int	stack9_watch_stop(struct stack9_watcher *watch);

/* Returns 0; EINVAL.  The numbers are exact once the watch has been stopped and
 * stack9_watch_read() returns EAGAIN. */
int	stack9_watch_counted(struct stack9_watcher *watch,
	    struct stack9_watch_tally *tally);

/* Calls fn with the name of each event that is watched.  If fn returns a value
 * other than 0, the call ends and that value is returned. */
typedef int stack9_event_fn(void *arg, const char *event);
int	stack9_watch_each_event(const struct stack9_watcher *watch,
	    stack9_event_fn *fn, void *arg);

/* Stops the watch and frees all of its memory.  NULL does nothing. */
void	stack9_watch_close(struct stack9_watcher *watch);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_WATCH_H */
