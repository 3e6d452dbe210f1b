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
	STACK9_USER = 2,
	STACK9_BOTH = 3		/* stack9_each(): the kernel's, then the user's
				   of the same moment where that can be had */
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
	STACK9_WHY_UNWIND,	/* 0: no unwind information for the last pc */
	STACK9_WHY_KTHREAD,	/* EOPNOTSUPP: a kernel thread, no user stack */
	STACK9_WHY_TRACED,	/* EBUSY: another tracer, rec->tracer, has it */
	STACK9_WHY_MEMORY,	/* 0: the last frame's stack cannot be read;
				   EAGAIN: none of its stack can */
	STACK9_WHY_LATE,	/* EAGAIN: its memory was not had in time */
	STACK9_WHY_AWAY		/* EAGAIN: submitted, and not in user space
				   since: <stack9_async.h> */
};

/* Flags of a record. */
#define	STACK9_EXACT_FIRST	0x1	/* pcs[0] is a pc, not a return addr. */
#define	STACK9_TEXT		0x2	/* text has names; pcs are all 0 */
#define	STACK9_FRAME_POINTER	0x4	/* a frame without unwind information
					   was passed by its frame pointer */

/*
 * The address space of a process as it was when it was looked at: what was
 * mapped where, and the files that it was mapped from, held open.  It outlives
 * the process, and names the addresses in its stacks.
 */
struct stack9_space;

/*
 * One capture.  The caller of stack9_save() gives pcs, max, text, text_size
 * and space (zero the rest); the call fills in everything else.
 */
struct stack9_record {
	struct stack9_thread thread;	/* whose */
	enum stack9_side side;		/* KERNEL or USER */
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
	pid_t		 tracer;	/* who traces it, if that is known and
					   matters (WHY_TRACED); else 0 */
	struct stack9_space *space;	/* USER, another process: what to unwind
					   with and to name pcs with.  NULL in
					   stack9_save(): found for this capture
					   only */
};

/*
 * The calling thread, or the one that has this tid now.
 * 0; EINVAL: tid < 1; ESRCH.  Two reads of /proc; _self makes them once a
 * thread.  Not async-signal-safe.
 */
int	stack9_thread_self(struct stack9_thread *td);
int	stack9_thread_find(pid_t tid, struct stack9_thread *td);

/*
 * Capture one stack of td.  A running sibling (side USER, same process) is
 * asked by a signal, see stack9_set_signal().  The user stack of another
 * process's thread is copied without stopping it where that can be done, else
 * by ptrace(2), which stops it for the copy; stack9_force("ptrace") asks for
 * that.  It is unwound by rec->space, which is brought up to date as needed.
 * 0: depth >= 1, and why says if it is known to be incomplete; EAGAIN;
 * ESRCH; EPERM; EBUSY: it could only be traced, and somebody else does;
 * EOPNOTSUPP; EINVAL: NULL, a tid < 1, a side that is not one, or no room;
 * ENOMEM, EMFILE: see rec->reason.  depth is 0 unless 0 is returned.
 * At most 8 tries; bounded time (man page).  Async-signal-safe only for the
 * calling thread's own user stack.
 */
int	stack9_save(enum stack9_side side, const struct stack9_thread *td,
	    struct stack9_record *rec);

/*
 * Both stacks of td, which is not of the calling process, at one moment where
 * that can be done: by ptrace(2), the kernel's is of the moment before.  Each
 * record as for stack9_save(), with its own error.
 * 0: both have been tried; EINVAL: as there, for either.
 */
int	stack9_save_both(const struct stack9_thread *td,
	    struct stack9_record *kernel, struct stack9_record *user);

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
 * error.  With BOTH fn is called twice for a thread, KERNEL first.  rec and
 * what it points to are valid during fn only; stack9_space_hold() keeps the
 * space.  fn returning non-0 ends the pass, and that value is returned.
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
 * The address space of td's process: another's or the caller's own.  Reading it
 * takes 50 us and more, by the number of its mappings; each file is opened
 * once, whichever processes have it.  0; ESRCH; EPERM; EINVAL; ENOMEM, EMFILE.
 * hold: one more to close; returns space.  close(NULL) does nothing.
 * All of these are thread-safe; none is async-signal-safe.
 */
int	stack9_space_open(const struct stack9_thread *td,
	    struct stack9_space **space);
struct stack9_space *stack9_space_hold(struct stack9_space *space);
void	stack9_space_close(struct stack9_space *space);

/*
 * Name pc in that process; as stack9_name(), which has no STACK9_NOWAIT here.
 * By the symbol tables of the file it was mapped from, of its separate debug
 * file, of Go; by the perf map that a JIT keeps in its /tmp.
 * 0; ENOENT: no symbol covers it; EINVAL.  The first of a file: some 50 us
 * each, the seventh up to 1 ms for most; then 0.3 us, and 30 ns for one that
 * this thread has asked for lately.
 */
int	stack9_space_name(struct stack9_space *space, uintptr_t pc,
	    unsigned int flags, struct stack9_symbol *sym);

/* What is mapped at an address. */
struct stack9_module {
	const char	*path;		/* as /proc/PID/maps has it, "[vdso]",
					   "" for anonymous memory; good as
					   long as the space */
	uintptr_t	 start, end;	/* of the mapping */
	uint64_t	 offset;	/* in the file, of the address */
	uint64_t	 vaddr;		/* in the ELF image; 0: it is none */
	unsigned char	 build_id[32];
	unsigned int	 build_id_size;	/* 0: none known */
	int		 deleted;	/* the file has no name any more */
};

/* 0; ENOENT: nothing was mapped there; EINVAL. */
int	stack9_space_module(struct stack9_space *space, uintptr_t pc,
	    struct stack9_module *module);

/* One level of source: a function, inlined or not, at a line. */
struct stack9_line {
	const char	*function;	/* as in the debug information: the
					   linkage name where it has one */
	const char	*file;		/* "" if not known */
	unsigned int	 line;		/* 0: not known */
	unsigned int	 column;
	int		 inlined;	/* into the next */
};

/*
 * Source lines of pc, the innermost inlined call first, by DWARF of the file or
 * of its debug file: fn is called for each; what it is given is good during fn
 * only.  flags: STACK9_RETURN_ADDRESS; STACK9_DEBUGINFOD: ask the servers of
 * $DEBUGINFOD_URLS for debug files that are not here.
 * 0; ENOENT: no debug information for pc; EINVAL; or what fn returned, which
 * ends it if it is not 0.  First in a file: milliseconds; then microseconds.
 */
typedef int stack9_line_fn(void *arg, const struct stack9_line *line);
#define	STACK9_DEBUGINFOD	0x4
int	stack9_space_lines(struct stack9_space *space, uintptr_t pc,
	    unsigned int flags, stack9_line_fn *fn, void *arg);

/*
 * A name for people: C++ and Rust names as in the source.  text gets it, cut to
 * size and NUL-ended.  0; ENOENT: it is not mangled, text is the name; EINVAL.
 */
int	stack9_demangle(const char *name, char *text, size_t size);

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
