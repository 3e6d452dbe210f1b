/*
 * Declares the calls that stack9 has beside stack(9).  They capture the stacks
 * of any thread, to any depth, turn them into frames with names, lines and
 * inlined calls, and report what this machine can do.
 *
 * A call that can fail returns 0 or a positive errno value.  A value has the
 * same meaning in each call:
 *	EAGAIN		ask again		ESRCH	the thread is gone
 *	EPERM		needs privilege		EINVAL	an argument is wrong
 *	EOPNOTSUPP	never on this machine	ENOENT	no such name
 *	ECANCELED	a function of the caller's ended the call
 *	ENOMEM, EMFILE	no memory, no descriptors
 * stack9_reason() has a sentence about the last failure.  A comment below lists
 * the values that a call returns as "Returns 0; EINVAL: when".
 *
 * The library allocates all that it returns; the caller reads it and never
 * writes to it.  Its structures may get further members at their ends.  A
 * structure that the caller allocates begins with its size, and has further
 * members in later releases, for which 0 means what this release does.  Only
 * struct stack9_thread never changes.  Numbers of sides, reasons, kinds and
 * flags keep their meaning, and further ones may come.  Addresses have 64 bits
 * everywhere.
 *
 * A call that gives samples it captures, or watches for events, takes options:
 * a structure with its size, flags and more; NULL means all defaults.  Any
 * other call takes flags; 0 means the defaults.  A flag has the prefix of its
 * call or structure, and one that is not known is EINVAL.
 *
 * Calls are thread-safe; a call is async-signal-safe only if its comment says
 * so.  libstack9(7) says what is promised; stack9(3) has the contracts.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_H
#define STACK9_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <stack9_frames.h>
#include <stack9_settings.h>
#include <stack9_thread.h>

/* The version of this header, for #if: 10000 * major + 100 * minor + patch. */
#define	STACK9_VERSION	300

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Returns the version of the library that runs.  Async-signal-safe. */
int	stack9_version(void);

/*
 * Returns a sentence about the last call of the calling thread that failed.
 * That of EINVAL names the argument or the member.  stack9_set_signal() and
 * calls that are async-signal-safe store none, and neither does ECANCELED for a
 * function of the caller's.  The sentence is never NULL, and valid until the
 * thread's next call.  A call that succeeds leaves it as it is.
 */
const char *stack9_reason(void);

/* The side of a stack. */
enum stack9_side {
	STACK9_KERNEL = 1,
	STACK9_USER = 2,
	STACK9_BOTH = 3		/* of one moment where that can be done */
};

/* The reason for an errno, or for an incomplete stack. */
enum stack9_why {
	STACK9_WHY_NONE = 0,	/* nothing to explain */
	STACK9_WHY_USER_MODE,	/* EAGAIN: on a CPU, in user mode */
	STACK9_WHY_ON_CPU,	/* on a CPU; no route can read it there */
	STACK9_WHY_MOVED,	/* EAGAIN: it kept moving between CPUs */
	STACK9_WHY_TORN,	/* EAGAIN: it ran while its stack was read */
	STACK9_WHY_REFUSED,	/* EAGAIN: the kernel's unwinder refused */
	STACK9_WHY_IDLE,	/* EAGAIN: an idle task, while it idles */
	STACK9_WHY_SILENT,	/* EAGAIN: no answer to the signal in time */
	STACK9_WHY_GONE,	/* ESRCH: no thread has this tid */
	STACK9_WHY_REUSED,	/* ESRCH: another thread has this tid now */
	STACK9_WHY_ZOMBIE,	/* ESRCH: dead, waiting to be reaped */
	STACK9_WHY_EXITING,	/* ESRCH: exiting, its stack is gone */
	STACK9_WHY_RIGHTS,	/* EPERM: see reason */
	STACK9_WHY_MACHINE,	/* EOPNOTSUPP: see reason */
	STACK9_WHY_RESOURCE,	/* ENOMEM, EMFILE...: see reason */
	STACK9_WHY_TRUNCATED,	/* 0: deeper than was asked for, or can be */
	STACK9_WHY_REGISTERS,	/* 0: an outer frame needs unknown registers */
	STACK9_WHY_UNWIND,	/* 0: no unwind information for the last pc */
	STACK9_WHY_KTHREAD,	/* EOPNOTSUPP: a kernel thread, no user stack */
	STACK9_WHY_TRACED,	/* EBUSY: another process, tracer, has it */
	STACK9_WHY_MEMORY,	/* 0: the last frame's stack cannot be read;
				   EAGAIN: the whole stack cannot be read */
	STACK9_WHY_LATE,	/* EAGAIN: its memory did not come in time */
	STACK9_WHY_AWAY		/* EAGAIN: submitted, not in user space since */
};

/* Returns a sentence for why, never NULL.  Async-signal-safe. */
const char *stack9_why_text(int why);

/*
 * A snapshot of the address space of a process: its mappings, and the files
 * that they were mapped from, kept open.  A space outlives the process, and
 * names the addresses in its stacks.  It never changes what an address means:
 * when a process has mapped other code, its next stack has another space.
 */
struct stack9_space;

/* Flags of a stack. */
#define	STACK9_STACK_EXACT	0x1u	/* pcs[0] is where the thread was, not a
					   return address */
#define	STACK9_STACK_GUESSED	0x4u	/* a frame was passed by a guess, as
					   stack9(3) says */

/*
 * One side of a thread at one moment.  stack9_frames() gives its frames.
 */
struct stack9_stack {
	int32_t		 side;		/* STACK9_KERNEL or STACK9_USER */
	int32_t		 error;		/* 0, or why depth is 0 (errno) */
	int32_t		 why;		/* the reason, as a number */
	uint32_t	 flags;		/* STACK9_STACK_... */
	uint32_t	 depth;		/* frames */
	uint32_t	 dropped;	/* frames known to be missing outside */
	const uint64_t	*pcs;		/* depth addresses, innermost first;
					   NULL: the route knows none */
	const char *const *text;	/* depth texts, name+0xoffset, of a
					   route that knows no addresses; NULL
					   for a frame that has one; or NULL */
	const char	*route;		/* the route that took or refused it; ""
					   none was asked.  Never freed */
	const char	*reason;	/* why, in a sentence; never NULL, never
					   freed */
	uint64_t	 when_ns;	/* CLOCK_BOOTTIME then; 0 unknown */
	struct stack9_space *space;	/* USER: names pcs; NULL: the kernel, or
					   the calling process */
	uint64_t	 hash;		/* equal for stacks that are the same by
					   stack9_stack_same() */
	/* STACK9_SAVE_LANGUAGES: functions of languages, by index; NULL: none.
	   struct stack9_written is in <stack9_frames.h>. */
	const struct stack9_written *written;
	uint32_t	 written_count;
	uint32_t	 reserved;	/* 0 */
	const char	*written_note;	/* a sentence, why some lack; "" */
	const struct stack9_written_lock *written_lock;	/* it waits for it */
	const char	*thread_name;	/* that the runtime has for it; "" */
};

/* Kinds of samples: a thread, an event, all events with the same stacks. */
enum stack9_sample_kind {
	STACK9_SAMPLE_THREAD,
	STACK9_SAMPLE_EVENT,
	STACK9_SAMPLE_COUNT
};

/* One thread at one moment, one event, or all events with the same stacks. */
struct stack9_sample {
	struct stack9_thread thread;	/* counted: tid 0, and pid 0 if
					   processes are not counted
					   separately */
	const char	*comm;		/* its name; "" unknown */
	int32_t		 state;		/* a letter as in /proc/TID/stat; '?' */
	int32_t		 cpu;		/* on it, or last on it; -1 unknown */
	pid_t		 tracer;	/* WHY_TRACED: the tracer; or 0 */
	uint64_t	 when_ns;	/* CLOCK_BOOTTIME; 0 unknown, counted */
	const struct stack9_stack *kernel;	/* NULL: not asked for */
	const struct stack9_stack *user;	/* NULL: not asked for */
	/* The rest is about an event; it is 0 or NULL otherwise. */
	const char	*event;		/* as stack9_watch_events() names it;
					   NULL: several, not distinguished */
	uint64_t	 events;	/* 1; counted: their number */
	uint64_t	 weight_ns;	/* offcpu: the time blocked, in total */
	uint64_t	 dropped;	/* events lost since the last sample */
	uint64_t	 cookie;	/* of the submission or of its event */
	uint64_t	 switches;	/* of contexts, so far; 0 unknown */
	const struct stack9_sample *waker;	/* of offcpu; or NULL */
	int32_t		 waking;	/* STACK9_WAKER_...; 0: no waker */
	uint32_t	 kind;		/* STACK9_SAMPLE_... */
	uint64_t	 since_ns;	/* STACK9_SAVE_SINCE: so long in its
					   state, at least; 0 unknown */
};

/*
 * stack9_sample_hold() keeps a sample: it copies one that is lent to a function
 * of the caller's, and counts one that the caller has.  NULL: no memory.
 * stack9_sample_close() gives one back that the caller got or holds; NULL does
 * nothing.
 */
struct stack9_sample *stack9_sample_hold(const struct stack9_sample *sample);
void	stack9_sample_close(struct stack9_sample *sample);

/*
 * Return 1 if two stacks, or both sides of two samples, are the same: the same
 * addresses by the same code, the same end, the same error.  Otherwise they
 * return 0.  NULL is the same as NULL only.
 */
int	stack9_stack_same(const struct stack9_stack *a,
	    const struct stack9_stack *b);
int	stack9_sample_same(const struct stack9_sample *a,
	    const struct stack9_sample *b);

/* The options of a capture.  NULL instead of one means all members 0. */
struct stack9_save_options {
	uint32_t	size;		/* sizeof(struct stack9_save_options) */
	uint32_t	flags;		/* STACK9_SAVE_... */
	uint32_t	frames;		/* of a side, at most; 0: 1024 */
	uint32_t	timeout_ms;	/* ask again that long while a side is
					   EAGAIN; 0: only at once */
	struct stack9_space *space;	/* USER: of td's process, to unwind and
					   to name by; NULL: its mappings are
					   read */
	const char	*states;	/* stack9_each(): only threads in these
					   states, "DR" for instance; or NULL */
	uint64_t	since_ns;	/* stack9_each(): only threads that are
					   in their states so long */
};

#define	STACK9_SAVE_NO_STOP	0x1u	/* neither stop the thread, EOPNOTSUPP
					   where only that would do, nor send
					   a sibling a signal, EAGAIN */
#define	STACK9_SAVE_SINCE	0x2u	/* find since_ns of the sample */
#define	STACK9_SAVE_LANGUAGES	0x4u	/* find the functions that interpreters
					   run: member written of the stack of
					   another process's thread */

/*
 * Captures the stacks of td and stores a sample.  The caller closes it.
 * A user stack is copied without stopping the thread where that can be done.
 * Otherwise a running sibling is asked by a signal, see stack9_set_signal();
 * another process's thread is stopped for the copy by ptrace(2):
 * stack9_force("ptrace") asks for that; then the kernel stack is taken before.
 * Returns 0: at least one side has depth >= 1, and each side has its own error
 * and why; EINVAL: a pointer is NULL, tid < 1, unknown side or flags.  In the
 * other cases no side has a stack, and *sample is stored all the same.  The
 * result is the error of the user's side, or of the kernel's if the user's was
 * not asked for or td is a kernel thread: EAGAIN; ESRCH; EPERM; EOPNOTSUPP;
 * EBUSY: the thread could only be traced, and another process traces it;
 * EMFILE...  ENOMEM without a sample: *sample is NULL.
 * Each round makes at most 8 tries and ends in bounded time (man page).
 */
int	stack9_save(const struct stack9_thread *td, int side,
	    const struct stack9_save_options *options,
	    struct stack9_sample **sample);

/*
 * A function that takes samples.  The sample is lent until the function
 * returns; stack9_sample_hold() keeps it.  If the function returns a value
 * other than 0, the call that called it ends with ECANCELED.  The function may
 * call the library, except where a call says EBUSY.
 */
typedef int stack9_sample_fn(void *arg, const struct stack9_sample *sample);

/*
 * Captures every thread of a process, of which td is any thread, or of the
 * machine if td is NULL, in one pass, and calls fn once for each.  A thread
 * that could not be captured has its error in its stacks.  A pass asks each
 * thread at once, whatever timeout_ms is, and captures at most 1024 frames.
 * Returns 0; ESRCH: no such process; ECANCELED; EPERM; EOPNOTSUPP; EINVAL;
 * ENOMEM, EMFILE.
 */
int	stack9_each(const struct stack9_thread *td, int side,
	    const struct stack9_save_options *options, stack9_sample_fn *fn,
	    void *arg);

/* The outcome of stack9_save_self(). */
struct stack9_self {
	uint32_t	size;		/* set by the caller: sizeof(struct
					   stack9_self) */
	uint32_t	depth;		/* frames stored */
	uint32_t	dropped;	/* frames known to be missing outside */
	uint32_t	flags;		/* STACK9_STACK_... */
	int32_t		why;		/* NONE: the outermost frame is there */
	int32_t		reserved;	/* 0 */
};

/*
 * Captures the calling thread's own user stack into pcs, innermost first.
 * skip 0 begins with the caller of this call, 1 with the caller's caller.
 * self may be NULL if only the addresses are wanted; then unused elements
 * of pcs become 0.  All addresses are return addresses.
 * Returns 0: depth >= 1, and why is NONE if the outermost frame was reached,
 * TRUNCATED if it did not fit, UNWIND or REGISTERS if the walk stopped at the
 * last pc; EINVAL: pcs is NULL, or max is 0; ENOENT: there are no more than
 * skip frames; EOPNOTSUPP.
 * The call is async-signal-safe on an alternate stack of 8 KiB and keeps errno.
 * It takes no lock and nothing from the heap, and stores no reason.  On the
 * stack that the thread was started on, it makes no system call once warm, and
 * takes 20 ns and less than 1 ns a frame.
 */
int	stack9_save_self(uint64_t *pcs, uint32_t max, uint32_t skip,
	    struct stack9_self *self);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_H */
