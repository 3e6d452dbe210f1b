/*
 * Declares malloc(9): flags, malloc types, and malloc(), free() and strdup()
 * with a type, beside libc's functions of one argument fewer or more.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_MALLOC_H
#define STACK9_SYS_MALLOC_H

#include <stdlib.h>	/* before the macros below */
#include <string.h>

#define	M_NOWAIT	0x0001	/* never wait; the call may fail */
#define	M_WAITOK	0x0002	/* wait until it can be done */
#define	M_ZERO		0x0100	/* zero-filled (stack_create() always does) */

/* These choose memory that a process cannot choose, so they change nothing. */
#define	M_NOVM		0x0200
#define	M_USE_RESERVE	0x0400
#define	M_NODUMP	0x0800
#define	M_FIRSTFIT	0x1000
#define	M_BESTFIT	0x2000
/* M_EXEC does not exist: no memory from malloc() may be executed. */

struct malloc_type {
	const char	*ks_shortdesc;	/* as passed to MALLOC_DEFINE() */
	const char	*ks_longdesc;
};

#define	MALLOC_DEFINE(type, shortdesc, longdesc)			\
	struct malloc_type type[1] = { { shortdesc, longdesc } }

#ifdef __cplusplus
#define	MALLOC_DECLARE(type)	extern "C" struct malloc_type type[1]
#else
#define	MALLOC_DECLARE(type)	extern struct malloc_type type[1]
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

extern struct malloc_type M_TEMP[1], M_DEVBUF[1];

/* Return memory for libc's free().  Without M_NOWAIT they wait until there is
 * memory.  An array's overflow is ENOMEM: a panic, but NULL with M_NOWAIT. */
void	*stack9_malloc(size_t size, const struct malloc_type *type, int flags);
void	*stack9_mallocarray(size_t count, size_t size,
	    const struct malloc_type *type, int flags);
void	*stack9_realloc(void *old, size_t size, const struct malloc_type *type,
	    int flags);

#pragma GCC visibility pop
#ifdef __cplusplus
}

static inline void *
malloc(size_t size, const struct malloc_type *type, int flags)
{
	return (stack9_malloc(size, type, flags));
}

static inline void *
realloc(void *old, size_t size, const struct malloc_type *type, int flags)
{
	return (stack9_realloc(old, size, type, flags));
}

static inline void
free(void *p, const struct malloc_type *)
{
	(free)(p);
}

static inline char *
strdup(const char *text, const struct malloc_type *type)
{
	const size_t size = strlen(text) + 1;

	return ((char *)memcpy(stack9_malloc(size, type, M_WAITOK), text,
	    size));
}
#else

static inline void
stack9_free(const volatile void *p, const struct malloc_type *type)
{
	(void)type;
	(free)((void *)(__UINTPTR_TYPE__)p);
}

static inline char *
stack9_strdup(const char *text, const struct malloc_type *type)
{
	const size_t size = strlen(text) + 1;

	return ((char *)memcpy(stack9_malloc(size, type, M_WAITOK), text,
	    size));
}

/* The number of arguments decides.  STACK9_FIFTH_() yields its fifth one. */
#define	STACK9_FIFTH_(a, b, c, d, e, ...)	e
#define	malloc(...)	STACK9_FIFTH_(__VA_ARGS__, stack9_malloc,	\
	stack9_malloc, malloc, malloc, 0)(__VA_ARGS__)
#define	realloc(...)	STACK9_FIFTH_(__VA_ARGS__, stack9_realloc,	\
	stack9_realloc, realloc, realloc, 0)(__VA_ARGS__)
#define	free(...)	STACK9_FIFTH_(__VA_ARGS__, free, stack9_free,	\
	stack9_free, free, 0)(__VA_ARGS__)
#undef strdup
#define	strdup(...)	STACK9_FIFTH_(__VA_ARGS__, strdup, stack9_strdup, \
	stack9_strdup, strdup, 0)(__VA_ARGS__)
#endif
#define	mallocarray(...)	stack9_mallocarray(__VA_ARGS__)

#endif /* STACK9_SYS_MALLOC_H */
