/*
 * Declares the calls for core files: the stacks of a process that has ended, or
 * of which a core was made while it ran.
 *
 * Errors are as in <stack9.h>.  man/stack9_core.3 has the contract in prose.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_CORE_H
#define STACK9_CORE_H

#include <stack9.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A core file that is open. */
struct stack9_core;

/* The options of stack9_core_open().  NULL means all members 0. */
struct stack9_core_options {
	uint32_t	size;		/* sizeof(struct stack9_core_options) */
	uint32_t	flags;		/* STACK9_CORE_KEEP and so on */
	const char	*sysroot;	/* the core's paths begin there; NULL:
					   at / */
	const char *const *debug_dirs;	/* files are here, too, by their
					   build-ids, or under their names */
	uint32_t	debug_dir_count;
	uint32_t	reserved;	/* 0 */
};

/*
 * Opens a core of Linux, of a program for the CPU that the library is for, or
 * on x86-64 of an i386 one: made by the kernel or by gdb's gcore, plain or
 * compressed by zstd or lz4.  path: its name.  NULL: fd is read, a file or a
 * pipe, from where it is; it stays open and is not needed any more afterwards.
 * A pipe or a compressed file is copied to a file without a name in $TMPDIR, or
 * /var/tmp, of which pages full of zeros take no room.
 * The headers and notes of the core itself are read, and the first page of each
 * file that it has mapped.  These files are opened where they were and by their
 * build-ids; one that has another build-id than the core says is not read.
 * Returns 0; EINVAL: an argument is wrong, or it is not a core, or one that is
 * not read here: stack9_reason() says what it is; ENOENT, EACCES and the like;
 * EOPNOTSUPP: libzstd.so.1 or liblz4.so.1 is missing; ENOSPC; EIO: a compressed
 * core is damaged; ENOMEM, EMFILE.
 */
int	stack9_core_open(const char *path, int fd,
	    const struct stack9_core_options *options,
	    struct stack9_core **core);

/* Keeps the memory that is read of the core, for stack9_core_dump(). */
#define	STACK9_CORE_KEEP	0x1u
/* Asks the servers of $DEBUGINFOD_URLS for files that are not here. */
#define	STACK9_CORE_DEBUGINFOD	0x2u

/*
 * Opens a process that lives, as its core of this moment: its threads with the
 * registers and stacks that they have now, and its memory.  The memory is read
 * when it is asked for.  Nobody is stopped, unless routes that stop are all
 * that there are, or all that stack9_force() leaves.  Memory is kept once read.
 * Returns 0; ESRCH; EPERM; EINVAL; EOPNOTSUPP: the process is the caller's, or
 * no registers can be read; ENOMEM, EMFILE.
 */
int	stack9_core_open_process(const struct stack9_thread *process,
	    const struct stack9_core_options *options,
	    struct stack9_core **core);

/*
 * Writes a small core to fd: the threads, the mappings, and the memory that
 * their stacks, names, waits, goroutines and languages need, and the lists of
 * the dynamic loader.  stack9_core_open(), gdb(1) and eu-stack(1) read it; the
 * mapped files are needed as for any other core.  It has at most 1 MiB for 50
 * threads, and 1 MiB; if that was not enough, there is a further note.
 * Returns 0; EINVAL: the core was opened without STACK9_CORE_KEEP; the errno of
 * write(2); ENOMEM.
 */
int	stack9_core_dump(struct stack9_core *core, int fd);

/* The process, as described by its core.  Members that it lacks are 0. */
struct stack9_core_facts {
	pid_t		pid;
	pid_t		tid;		/* the thread that had the signal; 0:
					   there was none */
	int32_t		signal;		/* by which it ended; 0: none */
	int32_t		code;		/* si_code of siginfo_t */
	uint64_t	address;	/* si_addr, if has_address */
	uint32_t	has_address;
	pid_t		sender;		/* si_pid, of a signal that was sent */
	uint32_t	threads;
	uint32_t	notes;		/* sentences of stack9_core_note() */
	const char	*end;		/* how it ended, in words: "SIGSEGV:
					   nothing is mapped at 0x10"; "" */
	const char	*comm;		/* its name, at most 15 characters */
	const char	*command;	/* its arguments, at most 79 characters
					   of them */
};

/* Returns what the core says, valid until it is closed.  core is not NULL. */
const struct stack9_core_facts *stack9_core_info(
	    const struct stack9_core *core);

/*
 * Returns a sentence about what is missing: the core was cut, or a file is not
 * here or is another one.  NULL: there are no more than n of them.  It is valid
 * until the core is closed.
 */
const char *stack9_core_note(const struct stack9_core *core, uint32_t n);

/*
 * Walks the stack of each thread and calls fn with its sample: first that of
 * the thread that had the signal, then the others in the core's order.
 * A sample has a user side only, and is lent as those of stack9_each() are; its
 * space outlives the core.  Its thread has a start that no living thread has,
 * so that no call takes it for a living one; stack9_coroutines() takes it.
 * options: frames counts, and STACK9_SAVE_LANGUAGES of flags: nothing else may
 * be set.
 * Returns 0; ECANCELED; EINVAL; ENOMEM.  A thread costs some 20 us.
 */
int	stack9_core_each(struct stack9_core *core,
	    const struct stack9_save_options *options, stack9_sample_fn *fn,
	    void *arg);

/* Closes a core; NULL does nothing. */
void	stack9_core_close(struct stack9_core *core);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_CORE_H */
