/*
 * Declares stack(9), whose calls capture, store and print stack traces.  This
 * is FreeBSD's <sys/stack.h> in both generations (2005 to 12, and 13 on).
 *
 * The contracts are beside the declarations.  man/stack.9 has them in prose,
 * and its COMPATIBILITY section lists every difference from FreeBSD.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_SYS_STACK_H
#define STACK9_SYS_STACK_H

#include "_stack.h"

struct sbuf;
struct thread;

enum stack_sbuf_fmt {
	STACK_SBUF_FMT_NONE = 0,	/* not a format: prints nothing */
	STACK_SBUF_FMT_LONG = 1,	/* "#0 0x1234 at name+0x10\n" */
	STACK_SBUF_FMT_COMPACT = 2,	/* "name+0x10 name+0x20 \n" */
};

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Machine-independent calls. */

/*
 * Returns a zeroed struct stack from the heap.
 * flags is M_WAITOK (the call retries until there is memory) or M_NOWAIT (it
 * returns NULL when there is none); neither, or both, means M_WAITOK.  C code
 * may leave the argument out, as before FreeBSD 12.  The call is not
 * async-signal-safe.
 */
#ifdef __cplusplus
struct stack	*stack_create(int flags = 0);
#else
struct stack	*stack_create(int flags);
/* This passes the argument if there is one, and 0 otherwise. */
#define	stack_create(...)	(stack_create)(				\
	STACK9_FLAGS_(__VA_ARGS__)[					\
	sizeof(STACK9_FLAGS_(__VA_ARGS__)) / sizeof(int) - 1])
#define	STACK9_FLAGS_(...)	((const int []){ 0, __VA_ARGS__ })
#endif

/* Frees a stack that stack_create() returned; NULL is allowed.  The call is not
 * async-signal-safe. */
void	stack_destroy(struct stack *st);

/* Appends pc.  Returns 0, or -1 when st is full.  Async-signal-safe. */
int	stack_put(struct stack *st, vm_offset_t pc);

/* stack_copy() makes dst equal to src; stack_zero() sets depth and all pcs to
 * 0.  Both are async-signal-safe. */
void	stack_copy(const struct stack *src, struct stack *dst);
void	stack_zero(struct stack *st);

/*
 * Print st on stdio's stdout, unless stack9_set_print() has set another
 * destination.  A frame is printed as "#%d %p at %s+%#lx\n"; with _short, all
 * frames are printed as "%s+%#lx", joined by blanks and ended by "\n".  Each pc
 * is looked up as it is; a lookup that fails prints "??".  Names are cut at 63
 * characters.  These calls are not async-signal-safe.
 */
void	stack_print(const struct stack *st);
void	stack_print_short(const struct stack *st);

/*
 * Print the same without locks or allocation, and with whole names, by write(2)
 * to descriptor 2, unless stack9_set_ddb_fd() or stack9_set_ddb_print() has set
 * another destination.  These calls are async-signal-safe, need at most 6 KiB
 * of stack, and keep errno.
 */
void	stack_print_ddb(const struct stack *st);
void	stack_print_short_ddb(const struct stack *st);

/*
 * Print into sb as stack_print() and stack_print_ddb() do.  The ddb variant is
 * async-signal-safe if sb is: it has a fixed length, or an async-signal-safe
 * drain.
 */
void	stack_sbuf_print(struct sbuf *sb, const struct stack *st);
void	stack_sbuf_print_ddb(struct sbuf *sb, const struct stack *st);

/*
 * Prints into sb in the given format.  flags is M_WAITOK or M_NOWAIT.  With
 * M_NOWAIT the call returns EWOULDBLOCK rather than wait for a lock or load a
 * symbol table; lines that are already in sb stay there.
 * format may be left out, as before FreeBSD 13.0: it is the long one.
 * Returns 0; EWOULDBLOCK; EINVAL: format is not a format.
 */
#ifdef __cplusplus
int	stack_sbuf_print_flags(struct sbuf *sb, const struct stack *st,
	    int flags, enum stack_sbuf_fmt format = STACK_SBUF_FMT_LONG);
#else
int	stack_sbuf_print_flags(struct sbuf *sb, const struct stack *st,
	    int flags, enum stack_sbuf_fmt format);
#define	stack_sbuf_print_flags(...)					\
	STACK9_PRINT_FLAGS_(__VA_ARGS__, STACK_SBUF_FMT_LONG, 0)
#define	STACK9_PRINT_FLAGS_(sb, st, flags, format, ...)			\
	(stack_sbuf_print_flags)(sb, st, flags, format)
#endif

/*
 * Makes records for the function that stack9_set_ktr() has set.  If cheap is
 * not 0, there are up to three records of six bare pcs each.  Otherwise there
 * is one line for each of the first depth frames (0: for all frames).
 * cheap may be left out, as since FreeBSD 13.
 */
#ifdef __cplusplus
void	stack_ktr(unsigned int mask, const char *file, int line,
	    const struct stack *st, unsigned int depth, int cheap = 0);
#else
void	stack_ktr(unsigned int mask, const char *file, int line,
	    const struct stack *st, unsigned int depth, int cheap);
#define	stack_ktr(...)		STACK9_KTR_(__VA_ARGS__, 0, 0)
#define	STACK9_KTR_(mask, file, line, st, depth, cheap, ...)		\
	(stack_ktr)(mask, file, line, st, depth, cheap)
#endif

/* CTRSTACK(m, st, depth[, cheap]) does nothing unless KTR is defined. */
#ifdef KTR
#ifndef KTR_COMPILE
#define	KTR_COMPILE	(~0U)
#endif
#define	CTRSTACK(m, ...) do {						\
	if (KTR_COMPILE & (m))						\
		stack_ktr((m), __FILE__, __LINE__, __VA_ARGS__);	\
} while (0)
#else
#define	CTRSTACK(m, ...) do { } while (0)
#endif

/* Machine-dependent calls. */

/*
 * Captures the calling thread's own stack.  st is zeroed, then filled with the
 * innermost STACK_MAX return addresses, of which the first is inside the
 * caller.  errno is kept.  The call is async-signal-safe and needs at most 4
 * KiB of stack, so an alternate stack of 8 KiB is enough.
 */
void	stack_save(struct stack *st);

/*
 * Captures the stack of td, whether td sleeps or runs: the user stack if td
 * belongs to the calling process, and the kernel stack if not.  st is zeroed
 * first, and its depth is 0 unless 0 is returned.  No thread is stopped.
 * Returns 0; EBUSY: td was running in user mode, or kept moving during the
 * capture: try again; ESRCH: td is gone, or its tid now is another thread's;
 * EOPNOTSUPP: this machine cannot do this; EPERM: this needs more privilege;
 * EINVAL: st or td is NULL, or td names no thread; ENOMEM, EMFILE: there is no
 * memory, or no file descriptor, to ask the kernel with.
 * The call is async-signal-safe only if td is curthread.
 */
int	stack_save_td(struct stack *st, struct thread *td);

/* This is the same call, as it was from 2015 to FreeBSD 12.  It returns EAGAIN
 * where stack_save_td() returns EBUSY. */
int	stack_save_td_running(struct stack *st, struct thread *td);

#ifdef STACK9_SYS_MALLOC_H
extern struct malloc_type M_STACK[1];
#endif

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_SYS_STACK_H */
