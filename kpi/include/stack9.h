/*
 * stack9: stacks of any thread, by name of side, to any depth; names for
 * addresses; and what this machine can do.  Our own calls beside stack(9).
 *
 * All return 0 or a positive errno value, one meaning each:
 *	EAGAIN		ask again	ESRCH	the thread is gone
 *	EPERM		with privilege	EINVAL	an argument is wrong
 *	EOPNOTSUPP	never here	ENOENT	nothing of that name
 * Out parameters come last.  man/stack9.3 says the same in prose.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_H
#define STACK9_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define	STACK9_VERSION_MAJOR	0
#define	STACK9_VERSION_MINOR	1
#define	STACK9_VERSION_PATCH	0

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A thread, named for good: a tid may be reused, tid and start may not. */
struct stack9_thread {
	pid_t		tid;	/* in the caller's pid namespace */
	pid_t		pid;	/* its process, likewise */
	uint64_t	start;	/* /proc/TID/stat field 22: clock ticks since
				   boot; 0: whoever has the tid */
};

/* Which stack is meant. */
enum stack9_side {
	STACK9_KERNEL = 1,
	STACK9_USER = 2
};

/* The reason behind an errno, or behind an incomplete stack. */
enum stack9_why {
	STACK9_WHY_NONE = 0,	/* nothing to explain */
	STACK9_WHY_USER_MODE,	/* EAGAIN: on a CPU, in user mode */
	STACK9_WHY_ON_CPU,	/* EOPNOTSUPP: on a CPU; none can look */
	STACK9_WHY_MOVED,	/* EAGAIN: never where it had just been seen */
	STACK9_WHY_TORN,	/* EAGAIN: it ran while its stack was read */
	STACK9_WHY_REFUSED,	/* EAGAIN: the kernel's unwinder refused */
	STACK9_WHY_IDLE,	/* EAGAIN: an idle task, while it idles */
	STACK9_WHY_SILENT,	/* EAGAIN: did not answer the signal in time */
	STACK9_WHY_GONE,	/* ESRCH: no thread has this tid */
	STACK9_WHY_REUSED,	/* ESRCH: another thread has this tid now */
	STACK9_WHY_ZOMBIE,	/* ESRCH: dead, waiting to be reaped */
	STACK9_WHY_EXITING,	/* ESRCH: exiting, its stack is gone */
	STACK9_WHY_RIGHTS,	/* EPERM: see reason */
	STACK9_WHY_MACHINE,	/* EOPNOTSUPP: see reason */
	STACK9_WHY_RESOURCE,	/* ENOMEM, EMFILE...: see reason */
	STACK9_WHY_TRUNCATED,	/* 0: deeper than the room, or the sysctl */
	STACK9_WHY_REGISTERS,	/* 0: an outer frame needs unknown registers */
	STACK9_WHY_UNWIND	/* 0: no unwind information for the last pc */
};

/* Flags of a record. */
#define	STACK9_EXACT_FIRST	0x1	/* pcs[0] is a pc, not a return addr. */
#define	STACK9_TEXT		0x2	/* text has names; pcs are all 0 */
#define	STACK9_FRAME_POINTER	0x4	/* a frame without unwind information
					   was passed by its frame pointer */

/*
 * One capture.  The caller of stack9_save() gives pcs, max, text and
 * text_size (zero the rest); the call fills in everything else.
 */
struct stack9_record {
	struct stack9_thread thread;	/* whose */
	int		 error;		/* 0, or why depth is 0 (errno) */
	enum stack9_why	 why;		/* the reason, in a word */
	const char	*reason;	/* the reason, in a sentence, or NULL;
					   never freed */
	const char	*route;		/* what took or refused it */
	unsigned int	 flags;		/* STACK9_EXACT_FIRST, ... */
	uint32_t	 depth;		/* frames in pcs (or lines in text) */
	uint32_t	 dropped;	/* frames known to be missing outside */
	uint32_t	 max;		/* room in pcs, frames */
	uintptr_t	*pcs;		/* innermost first */
	char		*text;		/* room for a route that has names and
					   no addresses, or NULL: a line a
					   frame, each ended by '\n', NUL */
	size_t		 text_size;
	uint64_t	 when_ns;	/* CLOCK_BOOTTIME then; 0 unknown */
	int		 cpu;		/* on it, or last on it; -1 unknown */
	char		 state;		/* a letter as in /proc/TID/stat; '?' */
	char		 comm[17];	/* its name, always NUL-ended */
};

/*
 * The calling thread, or the one that has this tid now.
 * 0; EINVAL: tid < 1; ESRCH.  Two reads of /proc; _self makes them once a
 * thread.  Not async-signal-safe.
 */
int	stack9_thread_self(struct stack9_thread *td);
int	stack9_thread_find(pid_t tid, struct stack9_thread *td);

/*
 * Capture one stack of td.  Stops nobody and disturbs nothing; a running
 * sibling (side USER, same process) is asked by a signal, see
 * stack9_set_signal().
 * 0: depth >= 1, and why says if it is known to be incomplete; EAGAIN;
 * ESRCH; EPERM; EOPNOTSUPP; EINVAL: NULL, a tid < 1, a side that is none, or
 * no room; ENOMEM, EMFILE: see rec->reason.  depth is 0 unless 0 is returned.
 * At most 8 tries; bounded time (man page).  Async-signal-safe only for the
 * calling thread's own user stack.
 */
int	stack9_save(enum stack9_side side, const struct stack9_thread *td,
	    struct stack9_record *rec);

/*
 * Capture the calling thread's own user stack, from the caller of this call
 * outwards.  rec as for stack9_save(); thread is left alone.  dropped is
 * exact: the walk goes on to the outermost frame.
 * 0: depth >= 1; why is NONE where the outermost frame was reached,
 * TRUNCATED where there was no room for it, UNWIND or REGISTERS where the
 * walk stopped at the last pc for the reason given.  EINVAL: NULL or no room;
 * EOPNOTSUPP.
 * Async-signal-safe on an alternate stack of 8 KiB; keeps errno.  No lock, no
 * heap, and, on the stack that the thread was started on, no system call once
 * warm: 20 ns and less than 1 ns a frame.
 */
int	stack9_save_self(struct stack9_record *rec);

/*
 * Capture every thread of process pid, or of the machine (pid 0), in one
 * pass, and hand each to fn as it comes; a thread that fails comes with its
 * error.  rec and what it points to are valid during fn only.  fn returning
 * non-0 ends the pass, and that value is returned.
 * 0; ESRCH: no such process; EPERM; EOPNOTSUPP; EINVAL; ENOMEM, EMFILE.
 */
typedef int stack9_record_fn(void *arg, const struct stack9_record *rec);
int	stack9_each(enum stack9_side side, pid_t pid, stack9_record_fn *fn,
	    void *arg);

/* A sentence for why, never NULL.  Async-signal-safe. */
const char *stack9_why_text(enum stack9_why why);

#define	STACK9_NAME_MAX	1024	/* longest name, with its NUL */

/* The name of an address. */
struct stack9_symbol {
	char		name[STACK9_NAME_MAX];	/* as the symbol table has it */
	char		module[64];	/* kernel module or file, or "" */
	uintptr_t	offset;		/* pc minus the symbol's start */
	uintptr_t	size;		/* of the symbol; 0: not known */
};

#define	STACK9_RETURN_ADDRESS	0x1	/* look up pc - 1; offset from pc */
#define	STACK9_NOWAIT		0x2	/* async-signal-safe, no lock or heap */

/*
 * Name pc: a kernel address, or an address in this process.
 * 0; ENOENT: no symbol covers it; EPERM: names are hidden from this caller;
 * EAGAIN: STACK9_NOWAIT, and the answer would have to wait; EINVAL.
 * Kernel: 1 to 2 us, or 50 ns once /proc/kallsyms was read (40 to 60 ms, only
 * where the kernel does not answer itself).  STACK9_NOWAIT: up to 1 ms.
 */
int	stack9_name(uintptr_t pc, unsigned int flags,
	    struct stack9_symbol *sym);

/*
 * What this machine and these rights allow: fn is called for each job's
 * routes in the order they are tried.  error: 0, EPERM, EOPNOTSUPP...;
 * reason: a sentence when error is not 0, else what the route does.
 */
typedef int stack9_route_fn(void *arg, const char *job, const char *route,
	    int error, const char *reason);
int	stack9_routes(stack9_route_fn *fn, void *arg);

/*
 * What the unwinder of this process's stacks has done so far, and what memory
 * it holds: fn is called with each count, its name and a sentence about it;
 * fn returning non-0 ends it, and that value is returned.  0; EINVAL.
 * Async-signal-safe if fn is.
 */
typedef int stack9_count_fn(void *arg, const char *name, uint64_t value,
	    const char *meaning);
int	stack9_counts(stack9_count_fn *fn, void *arg);

/*
 * Use only the named routes (comma-separated; "" or NULL: all again) for the
 * jobs they serve; other jobs are not touched.  The environment variable
 * STACK9_ROUTE does the same at first use, except in a program that holds
 * file capabilities.  0; ENOENT: a name that no route has, nothing changes.
 */
int	stack9_force(const char *routes);

/*
 * Keep programs in bpffs directory dir, to be reused by later processes, or
 * reuse those already there: what is left of start-up is some 30 us.
 * 0; EINVAL; EPERM; EOPNOTSUPP: dir is not bpffs; an errno of the kernel's.
 */
int	stack9_pin(const char *dir);

/*
 * Where text goes.  print: stack_print(), stack_print_short(); NULL: stdio's
 * stdout.  ddb: the _ddb calls, fn must then be async-signal-safe; NULL: the
 * descriptor of stack9_set_ddb_fd() (2 unless set).  ktr: stack_ktr() and
 * CTRSTACK(); NULL: dropped.  Set them before other threads print.
 */
typedef void stack9_text_fn(void *arg, const char *text, size_t len);
typedef void stack9_ktr_fn(void *arg, unsigned int mask, const char *file,
	    int line, const char *text);
void	stack9_set_print(stack9_text_fn *fn, void *arg);
void	stack9_set_ddb_print(stack9_text_fn *fn, void *arg);
void	stack9_set_ddb_fd(int fd);
void	stack9_set_ktr(stack9_ktr_fn *fn, void *arg);

/*
 * The signal that asks a running sibling thread for its stack; SIGRTMAX - 1
 * unless set.  Its handler is installed at the first such capture, never
 * before.  0; EINVAL: not a real-time signal; EBUSY: already in use.
 */
int	stack9_set_signal(int signo);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_H */
