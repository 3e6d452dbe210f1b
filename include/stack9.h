/*
 * Declares the calls that stack9 has beside stack(9).  They capture a stack of
 * any thread, by side and to any depth, name addresses, and report what this
 * machine can do.
 *
 * All return 0 or a positive errno value, which has the same meaning in each:
 *	EAGAIN		try again		ESRCH	the thread is gone
 *	EPERM		needs privilege		EINVAL	an argument is wrong
 *	EOPNOTSUPP	not on this machine	ENOENT	no such name
 * A comment below lists the values that a call returns as "Returns 0; EINVAL:
 * when".  Out parameters come last.  man/stack9.3 has the contracts in prose.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_H
#define STACK9_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <stack9_settings.h>

#define	STACK9_VERSION_MAJOR	0
#define	STACK9_VERSION_MINOR	1
#define	STACK9_VERSION_PATCH	0

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Names a thread for good: a tid may be reused, but not with the same start. */
struct stack9_thread {
	pid_t		tid;	/* in the caller's pid namespace */
	pid_t		pid;	/* its process, in that namespace too */
	uint64_t	start;	/* /proc/TID/stat field 22: clock ticks since
				   boot; 0: any thread that has the tid */
};

/* The side of a stack. */
enum stack9_side {
	STACK9_KERNEL = 1,
	STACK9_USER = 2,
	STACK9_BOTH = 3		/* stack9_each(): the kernel's, then the user's
				   of the same moment where that can be done */
};

/* The reason for an errno, or for an incomplete stack. */
enum stack9_why {
	STACK9_WHY_NONE = 0,	/* nothing to explain */
	STACK9_WHY_USER_MODE,	/* EAGAIN: on a CPU, in user mode */
	STACK9_WHY_ON_CPU,	/* EOPNOTSUPP: on a CPU; no route can read it */
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
	STACK9_WHY_TRUNCATED,	/* 0: deeper than max, or than the sysctl */
	STACK9_WHY_REGISTERS,	/* 0: an outer frame needs unknown registers */
	STACK9_WHY_UNWIND,	/* 0: no unwind information for the last pc */
	STACK9_WHY_KTHREAD,	/* EOPNOTSUPP: a kernel thread, no user stack */
	STACK9_WHY_TRACED,	/* EBUSY: another tracer, rec->tracer, has it */
	STACK9_WHY_MEMORY,	/* 0: the last frame's stack cannot be read;
				   EAGAIN: the whole stack cannot be read */
	STACK9_WHY_LATE,	/* EAGAIN: its memory did not come in time */
	STACK9_WHY_AWAY		/* EAGAIN: submitted, and not in user space
				   since: <stack9_async.h> */
};

/* Flags of a record. */
#define	STACK9_EXACT_FIRST	0x1	/* pcs[0] is a pc, not a return addr. */
#define	STACK9_TEXT		0x2	/* text has names; pcs are all 0 */
#define	STACK9_FRAME_POINTER	0x4	/* a frame without unwind information
					   was passed by its frame pointer */

/*
 * A snapshot of the address space of a process: its mappings, and the files
 * that they were mapped from, kept open.  A space outlives the process, and
 * names the addresses in its stacks.
 */
struct stack9_space;

/*
 * One capture.  The caller of stack9_save() sets pcs, max, text, text_size and
 * space, and zeroes the rest; the call fills in everything else.
 */
struct stack9_record {
	struct stack9_thread thread;	/* the thread */
	enum stack9_side side;		/* KERNEL or USER */
	int		 error;		/* 0, or why depth is 0 (errno) */
	enum stack9_why	 why;		/* the reason, as a number */
	const char	*reason;	/* the reason, in a sentence, or NULL;
					   never freed */
	const char	*route;		/* the route that took or refused it */
	unsigned int	 flags;		/* STACK9_EXACT_FIRST, ... */
	uint32_t	 depth;		/* frames in pcs (or lines in text) */
	uint32_t	 dropped;	/* frames known to be missing outside */
	uint32_t	 max;		/* size of pcs, in frames */
	uintptr_t	*pcs;		/* innermost first */
	char		*text;		/* buffer for a route that has names and
					   no addresses, or NULL: a line a
					   frame, each ended by '\n', NUL */
	size_t		 text_size;
	uint64_t	 when_ns;	/* CLOCK_BOOTTIME then; 0 unknown */
	int		 cpu;		/* on it, or last on it; -1 unknown */
	char		 state;		/* a letter as in /proc/TID/stat; '?' */
	char		 comm[17];	/* its name, always NUL-ended */
	pid_t		 tracer;	/* the tracer, if that is known and
					   matters (WHY_TRACED); else 0 */
	struct stack9_space *space;	/* USER, another process: unwinds the
					   stack and names pcs.  NULL in
					   stack9_save(): the call makes one for
					   this capture only */
};

/*
 * Find the calling thread, or the thread that has this tid now.
 * Returns 0; EINVAL: tid < 1; ESRCH.  A call reads /proc twice; _self does that
 * once a thread.  The calls are not async-signal-safe.
 */
int	stack9_thread_self(struct stack9_thread *td);
int	stack9_thread_find(pid_t tid, struct stack9_thread *td);

/*
 * Captures one stack of td.  A running sibling (side USER, same process) is
 * asked by a signal; see stack9_set_signal().  The user stack of another
 * process's thread is copied without stopping the thread where that can be
 * done, else by ptrace(2), which stops the thread for the copy;
 * stack9_force("ptrace") asks for that.  The copy is unwound by rec->space,
 * which is brought up to date as needed.
 * Returns 0: depth >= 1, and why says if the stack is known to be incomplete;
 * EAGAIN; ESRCH; EPERM; EBUSY: the thread could only be traced, and another
 * process traces it; EOPNOTSUPP; EINVAL: a pointer is NULL, tid < 1, side is
 * not KERNEL or USER, or max is 0; ENOMEM, EMFILE: see rec->reason.  depth is 0
 * unless 0 is returned.
 * The call makes at most 8 tries and ends in bounded time (man page).  It is
 * async-signal-safe only for the calling thread's own user stack.
 */
int	stack9_save(enum stack9_side side, const struct stack9_thread *td,
	    struct stack9_record *rec);

/*
 * Captures both stacks of td, which is not of the calling process, at one
 * moment where that can be done; with ptrace(2), the kernel stack is from the
 * moment before.  Each record is as for stack9_save(), and has its own error.
 * Returns 0: both have been tried; EINVAL: as there, for either record.
 */
int	stack9_save_both(const struct stack9_thread *td,
	    struct stack9_record *kernel, struct stack9_record *user);

/*
 * Captures the calling thread's own user stack, from the caller of this call
 * outwards.  rec is as for stack9_save(); thread is not changed.  dropped is
 * exact: the walk goes on to the outermost frame.
 * Returns 0: depth >= 1, and why is NONE if the outermost frame was reached,
 * TRUNCATED if it did not fit into pcs, UNWIND or REGISTERS if the walk stopped
 * at the last pc for the reason given; EINVAL: rec is NULL, or max is 0;
 * EOPNOTSUPP.
 * The call is async-signal-safe on an alternate stack of 8 KiB and keeps errno.
 * It takes no lock and nothing from the heap.  On the stack that the thread was
 * started on, it makes no system call once warm, and takes 20 ns and less than
 * 1 ns a frame.
 */
int	stack9_save_self(struct stack9_record *rec);

/*
 * Captures every thread of process pid, or of the machine (pid 0), in one pass,
 * and calls fn for each.  For a thread that could not be captured, the record
 * has the error.  With BOTH, fn is called twice for a thread, KERNEL first.
 * rec and all that it points to are valid during fn only; stack9_space_hold()
 * keeps the space.  If fn returns a value other than 0, the pass ends and that
 * value is returned.
 * Returns 0; ESRCH: no such process; EPERM; EOPNOTSUPP; EINVAL; ENOMEM, EMFILE.
 */
typedef int stack9_record_fn(void *arg, const struct stack9_record *rec);
int	stack9_each(enum stack9_side side, pid_t pid, stack9_record_fn *fn,
	    void *arg);

/* Returns a sentence for why, never NULL.  Async-signal-safe. */
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
 * Names pc, a kernel address or an address in this process.
 * Returns 0; ENOENT: no symbol covers it; EPERM: names are hidden from this
 * caller; EAGAIN: STACK9_NOWAIT, and the answer would have to wait; EINVAL.
 * A kernel address takes 1 to 2 us, or 50 ns once /proc/kallsyms was read (40
 * to 60 ms, only if the kernel does not answer itself).  With STACK9_NOWAIT a
 * call takes up to 1 ms.
 */
int	stack9_name(uintptr_t pc, unsigned int flags,
	    struct stack9_symbol *sym);

/*
 * stack9_space_open() takes a snapshot of the address space of td's process,
 * which may be the caller's own.  This takes 50 us and more, by the number of
 * mappings; each file is opened once, no matter how many processes have it
 * mapped.
 * Returns 0; ESRCH; EPERM; EINVAL; ENOMEM, EMFILE.
 * stack9_space_hold() adds a reference, which needs a close of its own, and
 * returns space.  stack9_space_close(NULL) does nothing.
 * All of these are thread-safe; none is async-signal-safe.
 */
int	stack9_space_open(const struct stack9_thread *td,
	    struct stack9_space **space);
struct stack9_space *stack9_space_hold(struct stack9_space *space);
void	stack9_space_close(struct stack9_space *space);

/*
 * Names pc in that process, as stack9_name() does, but without STACK9_NOWAIT.
 * The name comes from the symbol tables of the file that pc was mapped from, of
 * its separate debug file, or of Go, or from the perf map that a JIT keeps in
 * its /tmp.
 * Returns 0; ENOENT: no symbol covers it; EINVAL.
 * The first names of a file take some 50 us each, the seventh up to 1 ms for
 * most files.  Later names take 0.3 us, and 30 ns for an address that this
 * thread has asked for lately.
 */
int	stack9_space_name(struct stack9_space *space, uintptr_t pc,
	    unsigned int flags, struct stack9_symbol *sym);

/* The mapping at an address. */
struct stack9_module {
	const char	*path;		/* as /proc/PID/maps has it, "[vdso]",
					   "" for anonymous memory; valid as
					   long as the space is */
	uintptr_t	 start, end;	/* of the mapping */
	uint64_t	 offset;	/* in the file, of the address */
	uint64_t	 vaddr;		/* in the ELF image; 0: there is none */
	unsigned char	 build_id[32];
	unsigned int	 build_id_size;	/* 0: none known */
	int		 deleted;	/* the file has no name any more */
};

/* Describes the mapping at pc.  Returns 0; ENOENT: nothing was mapped there;
 * EINVAL. */
int	stack9_space_module(struct stack9_space *space, uintptr_t pc,
	    struct stack9_module *module);

/* One level of source: a function, inlined or not, at a line. */
struct stack9_line {
	const char	*function;	/* as in the debug information: the
					   linkage name where it has one */
	const char	*file;		/* "" if not known */
	unsigned int	 line;		/* 0: not known */
	unsigned int	 column;
	int		 inlined;	/* into the next one */
};

/*
 * Calls fn for each source line of pc, the innermost inlined call first, by the
 * DWARF of the file or of its debug file.  line is valid during fn only.
 * flags: STACK9_RETURN_ADDRESS; STACK9_DEBUGINFOD: ask the servers of
 * $DEBUGINFOD_URLS for debug files that are not here.
 * Returns 0; ENOENT: no debug information for pc; EINVAL; or the value other
 * than 0 that fn returned, which ends the call.  The first address of a file
 * takes milliseconds, later ones take microseconds.
 */
typedef int stack9_line_fn(void *arg, const struct stack9_line *line);
#define	STACK9_DEBUGINFOD	0x4
int	stack9_space_lines(struct stack9_space *space, uintptr_t pc,
	    unsigned int flags, stack9_line_fn *fn, void *arg);

/*
 * Makes a readable name: C++ and Rust names as in the source.  The name is
 * stored in text, cut to size and NUL-ended.
 * Returns 0; ENOENT: name is not mangled, and text is name; EINVAL.
 */
int	stack9_demangle(const char *name, char *text, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_H */
