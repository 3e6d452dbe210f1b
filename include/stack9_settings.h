/*
 * Declares the reports and the settings of stack9: routes, counts, notes of
 * files, pinned programs, the destinations of text, the signal for running
 * siblings.  Programs include <stack9.h>; that includes this file and explains
 * the returned values.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_SETTINGS_H
#define STACK9_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Reports what this machine and these rights allow: fn is called for each job's
 * routes in the order in which they are tried.  error is 0, EPERM,
 * EOPNOTSUPP...  reason is a sentence about the error, or says what the route
 * does if error is 0.  If fn returns a value other than 0, the call ends.
 * Returns 0; ECANCELED: fn ended it; EINVAL.
 */
typedef int stack9_route_fn(void *arg, const char *job, const char *route,
	    int error, const char *reason);
int	stack9_routes(stack9_route_fn *fn, void *arg);

/*
 * Reports what the unwinder of this process's stacks has done so far, and how
 * much memory it uses: fn is called with each count, its name and a sentence
 * about it.  If fn returns a value other than 0, the call ends.
 * Returns 0; ECANCELED: fn ended it; EINVAL.  Async-signal-safe if fn is.
 */
typedef int stack9_stat_fn(void *arg, const char *name, uint64_t value,
	    const char *meaning);
int	stack9_stats(stack9_stat_fn *fn, void *arg);

/*
 * Reports what names and lines lack because a file that was read lacks it, or
 * cannot be read here: fn is called once for each file and each thing, in the
 * order in which they were met.  lacks is a word for programs ("split-files"),
 * and meaning a sentence that says what would help.  At most 64 are kept, since
 * the process began or was forked.  The texts last as long as the process.  If
 * fn returns a value other than 0, the call ends.
 * Returns 0; ECANCELED: fn ended it; EINVAL.  Async-signal-safe if fn is.
 */
typedef int stack9_file_note_fn(void *arg, const char *file, const char *lacks,
	    const char *meaning);
int	stack9_file_notes(stack9_file_note_fn *fn, void *arg);

/*
 * Restricts the jobs to the named routes (comma-separated; "" or NULL: all
 * routes again).  A job that none of these routes serves is not changed.  The
 * environment variable STACK9_ROUTE does the same at first use, except in a
 * program that has file capabilities.
 * Returns 0; ENOENT: no route has one of the names, and nothing changes.
 */
int	stack9_force(const char *routes);

/*
 * Keeps BPF programs in the bpffs directory dir, to be reused by later
 * processes, or reuses the programs that are already there.  Start-up then
 * takes some 30 us.  Returns 0; EINVAL; EPERM; EOPNOTSUPP: dir is not bpffs; an
 * errno of the kernel.
 */
int	stack9_pin(const char *dir);

/*
 * Loads what the first capture of a side needs, so that it takes as long as
 * later ones: side is STACK9_KERNEL, STACK9_USER or STACK9_BOTH.  A process
 * whose files nobody has read yet still takes some milliseconds the first time.
 * The call takes 2 to 75 ms, a second one some us.
 * Returns 0; EINVAL; or why no capture of the side, or of one of both, will
 * succeed: EPERM; EOPNOTSUPP: not on this machine; ENOMEM, EMFILE.
 */
int	stack9_prepare(int side);

/*
 * Set the destinations of text.  _print is for stack_print() and
 * stack_print_short(); NULL means stdio's stdout.  _ddb_print is for the _ddb
 * calls, and its fn must be async-signal-safe; NULL means the descriptor of
 * stack9_set_ddb_fd() (2 unless set).  _ktr is for stack_ktr() and CTRSTACK();
 * NULL drops the records.  _console and _console_fd are for all of these that
 * have no destination of their own, and for printf() of <sys/systm.h>; fn must
 * be async-signal-safe, and NULL and -1 take the call back.  Set these before
 * other threads print.
 */
typedef void stack9_text_fn(void *arg, const char *text, size_t len);
typedef void stack9_ktr_fn(void *arg, unsigned int mask, const char *file,
	    int line, const char *text);
void	stack9_set_print(stack9_text_fn *fn, void *arg);
void	stack9_set_ddb_print(stack9_text_fn *fn, void *arg);
void	stack9_set_ddb_fd(int fd);
void	stack9_set_ktr(stack9_ktr_fn *fn, void *arg);
void	stack9_set_console(stack9_text_fn *fn, void *arg);
void	stack9_set_console_fd(int fd);

/*
 * Sets the signal that asks a running sibling thread for its stack, SIGRTMAX -
 * 1 unless set.  Its handler is installed at the first such capture, never
 * before.  Returns 0; EINVAL: not a real-time signal; EBUSY: already in use.
 */
int	stack9_set_signal(int signo);

/*
 * Has the files of other processes read by a child of this process from now
 * on, because these files may come from anybody.  The child has no capability,
 * no BPF program or map, no descriptor but those of the files that it reads
 * and of the memory of a process that it is asked about, to read only, and
 * almost no system call.  Call it before anything else, in the program's first
 * thread: the child begins as a copy of the process.  It ends with the process,
 * and fork(2) does not take it along: the new process reads no files.
 * Returns 0, also the second time, when it changes nothing; EINVAL; ENOMEM,
 * EMFILE, EAGAIN.  If a file crashes the child, somebody kills or stops it, or
 * an answer takes longer than a minute, or ten minutes with lines, what it has
 * not answered is EIO, and another one goes on: up to eight, and one in each
 * minute.  If the child cannot give up its rights, user stacks are EIO from
 * then on.
 */
#define	STACK9_APART_NAMES	0x1u	/* only to name stacks: what unwinds
					   is read here */
#define	STACK9_APART_ONCE	0x2u	/* no other child goes on where one has
					   ended: saves half a millisecond */
int	stack9_read_apart(unsigned int flags);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_SETTINGS_H */
