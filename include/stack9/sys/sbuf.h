/*
 * Declares sbuf(9).  It composes strings safely, with the semantics of the
 * kernel.  man/sbuf.9 has the contracts in prose.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_SYS_SBUF_H
#define STACK9_SYS_SBUF_H

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

struct sbuf;
struct sysctl_req;
struct uio;

/* A drain is given len bytes.  It returns how many of them it took (> 0), or a
 * negative errno. */
typedef int (sbuf_drain_func)(void *arg, const char *data, int len);

/* The structure is complete here because callers keep one on their stack.  Only
 * the functions of sbuf(9) change its members. */
struct sbuf {
	char		*s_buf;		/* storage */
	sbuf_drain_func	*s_drain_func;	/* takes full buffers, or NULL */
	void		*s_drain_arg;	/* its first argument */
	int		 s_error;	/* first error, until sbuf_clear() */
	ssize_t		 s_size;	/* bytes of storage */
	ssize_t		 s_len;		/* bytes in use, without a final NUL */
	int		 s_flags;	/* SBUF_* */
	ssize_t		 s_sect_len;	/* bytes in the open section */
	ssize_t		 s_rec_off;	/* start of the current record */
};

#define	SBUF_FIXEDLEN	0x00000000	/* storage has a fixed length */
#define	SBUF_AUTOEXTEND	0x00000001	/* storage grows as needed */
#define	SBUF_INCLUDENUL	0x00000002	/* the final NUL counts as data */
#define	SBUF_DRAINTOEOR	0x00000004	/* drain only whole records */
#define	SBUF_NOWAIT	0x00000008	/* grow with M_NOWAIT */
#define	SBUF_USRFLAGMSK	0x0000ffff	/* flags that a caller may set */
#define	SBUF_DYNAMIC	0x00010000	/* sbuf_delete() frees the storage */
#define	SBUF_FINISHED	0x00020000	/* sbuf_finish() was called */
#define	SBUF_DYNSTRUCT	0x00080000	/* sbuf_delete() frees the struct */
#define	SBUF_INSECTION	0x00100000	/* between start and end of a section */
#define	SBUF_DRAINATEOL	0x00200000	/* drain at each newline */

/* For sbuf_hexdump(). */
#ifndef HD_COLUMN_MASK
#define	HD_COLUMN_MASK	0x000000ff	/* bytes a line; 0: 16 */
#define	HD_DELIM_MASK	0x0000ff00	/* before each byte, << 8; 0: a blank */
#define	HD_OMIT_COUNT	0x00010000	/* no offsets */
#define	HD_OMIT_HEX	0x00020000	/* no bytes in hexadecimal */
#define	HD_OMIT_CHARS	0x00040000	/* no bytes as characters */
#endif

/* Compilers do not know %b, %D, %r and %y.  A file that uses them defines
 * STACK9_KERNEL_FORMATS, so that formats are left unchecked. */
#if defined(__GNUC__) && !defined(STACK9_KERNEL_FORMATS)
#define	STACK9_PRINTFLIKE_(fmt, first)					\
	__attribute__((__format__(__printf__, fmt, first)))
#else
#define	STACK9_PRINTFLIKE_(fmt, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * The first error of an sbuf is kept.  After it nothing more is appended, every
 * appending call returns -1, and sbuf_error() and sbuf_finish() return it:
 *	ENOMEM	the storage was full and could not grow
 *	EDEADLK	the drain took nothing, or a record did not fit (DRAINTOEOR)
 *	others	the drain returned this number, negated
 * Calls that return int return 0, or -1 on an error or a finished sbuf, unless
 * their comment says otherwise.  All calls are async-signal-safe as long as
 * they do not allocate or free and the drain, if there is one, is
 * async-signal-safe.  That holds for an sbuf in the caller's struct and storage
 * that has a drain, or is without SBUF_AUTOEXTEND.
 */

/*
 * Makes s a new empty sbuf whose text is in buf; for either, NULL means the
 * heap.  length is the bytes of storage, the final NUL included; it is at least
 * 2, or with SBUF_AUTOEXTEND at least 0.  flags is SBUF_AUTOEXTEND and so on.
 * Returns the sbuf; NULL: length is bad, or there is no memory and SBUF_NOWAIT
 * is set; without that flag the call waits for memory.
 */
struct sbuf	*sbuf_new(struct sbuf *s, char *buf, int length, int flags);
struct sbuf	*sbuf_new_auto(void);	/* NULL, NULL, 0, SBUF_AUTOEXTEND */

/* Frees all memory that the sbuf has allocated, and zeroes the struct. */
void	sbuf_delete(struct sbuf *s);

/* Get, set and clear flags of SBUF_USRFLAGMSK.  Other flags cannot be seen or
 * changed. */
int	sbuf_get_flags(struct sbuf *s);
void	sbuf_set_flags(struct sbuf *s, int flags);
void	sbuf_clear_flags(struct sbuf *s, int flags);

/* Makes the sbuf empty, not finished and without error.  Text that was drained
 * stays drained. */
void	sbuf_clear(struct sbuf *s);

/* Cuts the text to pos bytes.  Returns -1 also if pos is negative or beyond the
 * end of the text, and in a section. */
int	sbuf_setpos(struct sbuf *s, ssize_t pos);

/* Removes trailing blanks, \t, \n, \v, \f and \r. */
int	sbuf_trim(struct sbuf *s);

/* These append. */
int	sbuf_bcat(struct sbuf *s, const void *buf, size_t len);
int	sbuf_cat(struct sbuf *s, const char *str);
int	sbuf_putc(struct sbuf *s, int c);
int	sbuf_nl_terminate(struct sbuf *s);	/* unless at a line's start */
void	sbuf_hexdump(struct sbuf *s, const void *ptr, int length,
	    const char *hdr, int flags);

/* These call sbuf_clear(), then append.  They work on a finished sbuf too. */
int	sbuf_bcpy(struct sbuf *s, const void *buf, size_t len);
int	sbuf_cpy(struct sbuf *s, const char *str);

/*
 * Append with the kernel's formats, not libc's.  %p of NULL is "0".  %b, %D, %r
 * and %y exist; floating point does not.  An unknown conversion, and all text
 * after it, is copied as written.  A NUL from %c is dropped.  No piece of the
 * text has to fit into the storage of an sbuf with a drain.
 */
int	sbuf_printf(struct sbuf *s, const char *fmt, ...)
	    STACK9_PRINTFLIKE_(2, 3);
int	sbuf_vprintf(struct sbuf *s, const char *fmt, va_list ap)
	    STACK9_PRINTFLIKE_(2, 0);

/*
 * Sets a drain: the text is handed to func(arg, ...) whenever the storage is
 * full, and at the end.  The sbuf then never grows.  Set the drain while the
 * sbuf is empty.
 */
void	sbuf_set_drain(struct sbuf *s, sbuf_drain_func *func, void *arg);

/*
 * Makes an sbuf, as sbuf_new() with SBUF_FIXEDLEN, whose drain is the request
 * of a handler of <sys/sysctl.h>.
 */
struct sbuf	*sbuf_new_for_sysctl(struct sbuf *s, char *buf, int length,
	    struct sysctl_req *req);

/*
 * Makes a finished sbuf of the text in the buffers of uio, and takes that text
 * off uio.  Returns NULL, and *error says why: EFAULT, ENOMEM.
 */
struct sbuf	*sbuf_uionew(struct sbuf *s, struct uio *uio, int *error);

/*
 * Append len bytes, or a string of at most len bytes (0: as much as fits), from
 * an address that may be bad.  There is one address space, so any address of
 * this process is good.  sbuf_bcopyin() returns 0; sbuf_copyin() returns the
 * length of the string with its NUL.  Both return -1 if the address is bad, and
 * on an error.
 */
int	sbuf_bcopyin(struct sbuf *s, const void *uaddr, size_t len);
int	sbuf_copyin(struct sbuf *s, const void *uaddr, size_t len);

/* Calls the drain once.  Returns the sbuf's error, or 0 if there is none. */
int	sbuf_drain(struct sbuf *s);

/* These are drains.  sbuf_count_drain() only adds len to the size_t at arg.
 * sbuf_printf_drain() prints where stack_print() prints, up to a NUL, and adds
 * len to the size_t at arg unless arg is NULL. */
int	sbuf_count_drain(void *arg, const char *data, int len);
int	sbuf_printf_drain(void *arg, const char *data, int len);

/*
 * Begin and end a section.  The length of a section is counted, and bytes c can
 * pad it to a multiple of pad.  The start of a nested section stores the outer
 * length in *old_lenp, and its end needs that length back as old_len.  For the
 * outermost section the caller may pass NULL and -1.
 * sbuf_end_section() returns the section's length with padding; -1: the sbuf
 * has an error, is finished, or is not in a section.
 */
void	sbuf_start_section(struct sbuf *s, ssize_t *old_lenp);
ssize_t	sbuf_end_section(struct sbuf *s, ssize_t old_len, size_t pad, int c);

/*
 * Ends the text with a NUL and drains the rest of it.  Returns 0, or the sbuf's
 * error as a positive errno; errno itself is not touched.  The sbuf then takes
 * no more text until sbuf_clear().
 */
int	sbuf_finish(struct sbuf *s);

int	sbuf_error(const struct sbuf *s);	/* the first error, or 0 */
int	sbuf_done(const struct sbuf *s);	/* not 0 once finished */

/* Returns the text, NUL-terminated; it is cut short if there was an error.  The
 * pointer is valid until the next call that changes the sbuf. */
char	*sbuf_data(struct sbuf *s);

/* Returns the bytes that are not yet drained, with SBUF_INCLUDENUL one more; -1
 * on an error. */
ssize_t	sbuf_len(struct sbuf *s);

/* Prints the text where stack_print() prints, and changes nothing. */
void	sbuf_putbuf(struct sbuf *s);

#pragma GCC visibility pop

/* FreeBSD's user library returns the error of sbuf_finish() in errno. */
#ifdef STACK9_LIBSBUF
#include <errno.h>
static inline int
stack9_libsbuf_finish(struct sbuf *s)
{
	const int error = sbuf_finish(s);

	if (error == 0)
		return (0);
	errno = error;
	return (-1);
}
#define	sbuf_finish(s)	stack9_libsbuf_finish(s)
#endif

#ifdef __cplusplus
}
#endif

#endif /* STACK9_SYS_SBUF_H */
