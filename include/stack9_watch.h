/*
 * stack9: the stacks that lead to events.  Counted in the kernel, each
 * distinct stack under its whole self; or one by one as they happen.
 *
 * Errors as in <stack9.h>; where a call has a reason, that says in a sentence
 * what failed and what would help.  A watch is one thread's at a time; what is
 * not said to be thread-safe is not, and none is async-signal-safe.
 * man/stack9_watch.3 says the same in prose.
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

/* Whose events; all of it 0: everybody's. */
struct stack9_filter {
	pid_t		 pid;		/* of this process; 0: of all */
	pid_t		 tid;		/* of this thread */
	const char	*comm;		/* of threads that have this name; NULL:
					   whatever it is */
	const char	*cgroup;	/* a directory of cgroup v2: of it and
					   of those below it; or NULL */
	unsigned int	 flags;		/* STACK9_ONE_CPU, ... */
	int		 cpu;		/* STACK9_ONE_CPU: on this one */
	uint64_t	 limit;		/* so many events, exactly; 0: all */
	uint64_t	 min_ns;	/* offcpu: blocked at least so long, */
	uint64_t	 max_ns;	/* and at most; 0: however long */
};

#define	STACK9_ONE_CPU	0x1
#define	STACK9_REGEX	0x2		/* names of events are POSIX extended
					   regular expressions, else patterns
					   with * and ? */
#define	STACK9_OTHERS	0x4		/* none of the calling process, whose
					   printing may be an event too */

/* One event, or all that had the same stacks. */
struct stack9_sample {
	struct stack9_thread thread;	/* counted: tid 0, and pid 0 where no
					   process is part of what is counted */
	char		 comm[17];	/* the thread's name; counted: that of
					   the process when it was first seen */
	int		 cpu;		/* counted: -1 */
	uint64_t	 when_ns;	/* CLOCK_BOOTTIME; counted: 0 */
	uint64_t	 events;	/* 1; counted: how many */
	uint64_t	 weight_ns;	/* offcpu: how long blocked, all told */
	const char	*event;		/* which, as stack9_watch_each_event()
					   names it; NULL: several, not told */
	uint64_t	 dropped;	/* of the stream, since the last */
	const struct stack9_record *kernel;	/* NULL: not asked for; depth */
	const struct stack9_record *user;	/* 0: error and why say it */
};

/* Good during fn only; stack9_space_hold() keeps a space.  Non-0 ends the call
 * that called it, which returns that. */
typedef int stack9_sample_fn(void *arg, const struct stack9_sample *sample);

enum stack9_sink_kind {
	STACK9_COUNT = 1,	/* counted, given by stack9_watch_counts() */
	STACK9_STREAM = 2	/* each event, given by stack9_watch_read() */
};

/* What becomes of events.  What is 0 has a usual value. */
struct stack9_sink {
	enum stack9_sink_kind what;
	enum stack9_side side;
	unsigned int	 flags;		/* STACK9_BY_PROCESS, ... */
	uint32_t	 frames;	/* a side, at most; 0: as many as
					   kernel.perf_event_max_stack says */
	uint32_t	 stacks;	/* STACK9_COUNT: room in the kernel for
					   so many distinct ones of each size;
					   0: 65536.  More go to the process */
	size_t		 ring;		/* bytes between kernel and process, a
					   power of 2 and of pages; 0: 2 MiB, 8
					   for a stream, 16 where user sides
					   are copied */
	stack9_sample_fn *fn;
	void		*arg;
};

#define	STACK9_BY_PROCESS	0x10	/* count each process for itself, for
					   kernel stacks too */
#define	STACK9_BY_FRAME_POINTERS 0x20	/* user side: walked in the kernel by
					   frame pointers; else copied, and
					   unwound as stack9_save() does it */
#define	STACK9_STACKID		0x40	/* STACK9_COUNT: by the kernel's own map
					   of stacks, which loses those that
					   collide; for comparison */
#define	STACK9_STACKID_FAST	0x80	/* and compare only their hashes */
#define	STACK9_STACKID_REUSE	0x100	/* and have the later displace the
					   earlier, whose events then are shown
					   under it */

/* What became of the events that passed the filter: events = kept + nested +
 * no_room + collided, once the watch has been stopped. */
struct stack9_watch_tally {
	uint64_t	events;
	uint64_t	kept;		/* counted under their own stacks, or
					   given to fn */
	uint64_t	spilled;	/* of the kept, by the process, for the
					   kernel's tables were full, or had
					   another stack of the same hash */
	uint64_t	no_room;	/* neither there nor in the ring */
	uint64_t	nested;		/* on a CPU that was at 4 others */
	uint64_t	collided;	/* STACK9_STACKID */
	uint64_t	stacks;		/* distinct ones, of the kept */
	uint64_t	truncated;	/* of the kept: deeper than was asked
					   for, or than the sysctl */
	uint64_t	skipped;	/* besides: not shown to the program by
					   the kernel, where it says so */
	uint32_t	frames;		/* of a side, at most, as it came out */
	uint32_t	points;		/* what it is attached to */
};

struct stack9_watcher;

#define	STACK9_REASON_MAX	512

/*
 * Watch events from now on.  Their names, and those of several, as
 * stackcount(1) has them:
 *	t:CATEGORY:NAME		a tracepoint; syscall:NAME a system call
 *	NAME, k:NAME[+OFFSET]	a function of the kernel
 *	u:FILE:NAME[+OFFSET]	a function of a program or library
 *	usdt:FILE:PROVIDER:NAME	a probe that a program declares
 *	cpu-clock[:HZ], page-faults[:EVERY], ...	software events of perf
 *	offcpu			a thread blocked, when it goes on
 * filter may be NULL.  reason: of STACK9_REASON_MAX bytes, or NULL; it is "" on
 * 0.
 * 0; ENOENT: no such event; EINVAL; EPERM; EOPNOTSUPP: not on this machine;
 * ENOMEM, EMFILE; ENOSPC: more events than can be attached to (1024).
 * 3 to 12 ms, and 10 us to 1 ms for each event.
 */
int	stack9_watch(const char *event, const struct stack9_filter *filter,
	    const struct stack9_sink *sink, struct stack9_watcher **watch,
	    char *reason);

/* A descriptor that can be read, as poll(2) says, once something has come since
 * stack9_watch_read() was called with a timeout of 0, or said EAGAIN.  It is
 * the watch's: neither read nor close it. */
int	stack9_watch_fd(const struct stack9_watcher *watch);

/*
 * Take what has come: a stream's events go to fn; what is counted may have to
 * go on in the process; a process that is met for the first time is looked at,
 * so that it can be named when it has gone.  Wait up to timeout_ms (-1: without
 * end) for something.
 * To be called all the time, also where events are counted.  0; EAGAIN: nothing
 * came; EINTR; EINVAL: also in a child, which has none of its parent's watches
 * and can only close them; EBUSY: from fn; ENOMEM; or what fn returned: what
 * came after that is given by the next call.
 */
int	stack9_watch_read(struct stack9_watcher *watch, int timeout_ms);

/*
 * STACK9_COUNT: give fn each distinct stack and how often it has been since the
 * watch began, in no order.  May be called at any time and again.
 * 0; EINVAL: a stream; EBUSY: from fn; ENOMEM; or what fn returned.
 */
int	stack9_watch_counts(struct stack9_watcher *watch);

/* No event from then on; all that is under way ends.  What has come can still
 * be read.  0, a second time too; EBUSY: from fn; EINVAL: in a child. */
int	stack9_watch_stop(struct stack9_watcher *watch);

/* 0; EINVAL.  Exact once the watch has been stopped and stack9_watch_read()
 * says EAGAIN. */
int	stack9_watch_counted(struct stack9_watcher *watch,
	    struct stack9_watch_tally *tally);

/* What it is attached to, by name; fn returning non-0 ends it. */
typedef int stack9_event_fn(void *arg, const char *event);
int	stack9_watch_each_event(const struct stack9_watcher *watch,
	    stack9_event_fn *fn, void *arg);

/* Stops it.  NULL does nothing. */
void	stack9_watch_close(struct stack9_watcher *watch);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_WATCH_H */
