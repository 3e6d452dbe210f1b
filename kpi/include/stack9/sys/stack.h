/*
 * stack(9): capture, hold and print stack traces.  FreeBSD's <sys/stack.h>,
 * both generations (2005 to 12, and 13 on).
 *
 * Contracts stand beside the declarations; man/stack.9 has them in prose and
 * its COMPATIBILITY section lists every difference from FreeBSD.
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
 * A zeroed struct stack from the heap.
 * flags: M_WAITOK (retries until there is memory) or M_NOWAIT (NULL when
 * there is none); none, or both, means M_WAITOK.  C code may leave the
 * argument out, as before FreeBSD 12.  Not async-signal-safe.
 */
#ifdef __cplusplus
struct stack	*stack_create(int flags = 0);
#else
struct stack	*stack_create(int flags);
/* The last of 0 and the argument, if there is one. */
#define	stack_create(...)	(stack_create)(				\
	STACK9_FLAGS_(__VA_ARGS__)[					\
	sizeof(STACK9_FLAGS_(__VA_ARGS__)) / sizeof(int) - 1])
#define	STACK9_FLAGS_(...)	((const int []){ 0, __VA_ARGS__ })
#endif

/* Free what stack_create() gave; NULL is allowed.  Not async-signal-safe. */
void	stack_destroy(struct stack *st);

/* Append pc.  0, or -1 when st is full.  Async-signal-safe. */
int	stack_put(struct stack *st, vm_offset_t pc);

/* dst = src, and st with depth 0 and all pcs 0.  Async-signal-safe. */
void	stack_copy(const struct stack *src, struct stack *dst);
void	stack_zero(struct stack *st);

/*
 * Print st on stdio's stdout (or where stack9_set_print() says): "#%d %p at
 * %s+%#lx\n" a frame, or with _short "%s+%#lx" joined by blanks and ended by
 * "\n".  Each pc is looked up as it is; a lookup that fails prints "??".
 * Names are cut at 63 characters.  Not async-signal-safe.
 */
void	stack_print(const struct stack *st);
void	stack_print_short(const struct stack *st);

/*
 * The same without locks or allocation, whole names, by write(2) to
 * descriptor 2 (or where stack9_set_ddb_fd() or stack9_set_ddb_print()
 * says).  Async-signal-safe; at most 6 KiB of stack.  errno is kept.
 */
void	stack_print_ddb(const struct stack *st);
void	stack_print_short_ddb(const struct stack *st);

/*
 * stack_print() and stack_print_ddb() into sb.  The ddb variant is
 * async-signal-safe where sb is (fixed length, or a drain that is).
 */
void	stack_sbuf_print(struct sbuf *sb, const struct stack *st);
void	stack_sbuf_print_ddb(struct sbuf *sb, const struct stack *st);

/*
 * The same with a format.  flags: M_WAITOK, or M_NOWAIT: EWOULDBLOCK rather
 * than wait for a lock or load a symbol table; lines already written stay.
 * 0; EWOULDBLOCK; EINVAL for a format that is none.
 */
int	stack_sbuf_print_flags(struct sbuf *sb, const struct stack *st,
	    int flags, enum stack_sbuf_fmt format);

/*
 * Records for the sink of stack9_set_ktr(): with cheap, up to three of six
 * bare pcs; else one line a frame, the first depth of them (0: all).
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

/* CTRSTACK(m, st, depth[, cheap]): nothing unless KTR is defined. */
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
 * The calling thread's own stack: st is zeroed, then filled with the
 * innermost STACK_MAX return addresses, the first inside the caller.
 * errno is kept.  Async-signal-safe; at most 4 KiB of stack, so that an
 * alternate one of 8 KiB will do.
 */
void	stack_save(struct stack *st);

/*
 * The stack of td, whether it sleeps or runs: its user stack if td belongs
 * to the calling process, else its kernel stack.  st is zeroed first and its
 * depth is 0 unless 0 is returned.
 * 0; EBUSY: running in user mode, or never caught still: ask again; ESRCH:
 * gone, or its tid now is another thread's; EOPNOTSUPP: this machine cannot;
 * EPERM: it could with more privilege; EINVAL: st or td is NULL, or td names
 * no thread; ENOMEM, EMFILE: nothing to ask the kernel with.  Stops nobody.
 * Not async-signal-safe unless td is curthread.
 */
int	stack_save_td(struct stack *st, struct thread *td);

/* The same call of 2015 to FreeBSD 12, which says EAGAIN for EBUSY. */
int	stack_save_td_running(struct stack *st, struct thread *td);

#ifdef STACK9_SYS_MALLOC_H
extern struct malloc_type M_STACK[1];
#endif

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_SYS_STACK_H */
