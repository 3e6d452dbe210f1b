/*
 * Adds to the C library's <stdlib.h> what FreeBSD's shows to every file.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#include <sys/_visible.h>
#include_next <stdlib.h>

#include <sys/_bsd.h>
#if defined(STACK9_BSD_) && !defined(STACK9_STDLIB_H)
#define	STACK9_STDLIB_H

#ifdef STACK9_OWN_BSD_
#include <errno.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifdef STACK9_HIDDEN_BSD_
int	mkostemp(char *name, int flags);
int	mkostemps(char *name, int suffix, int flags);
#endif

#ifdef STACK9_OWN_BSD_
extern char *program_invocation_short_name;

static inline const char *
stack9_getprogname(void)
{
	return (program_invocation_short_name);
}

static inline void
stack9_setprogname(const char *name)
{
	const char *base = name, *at;

	for (at = name; *at != '\0'; at++)
		if (*at == '/')
			base = at + 1;
	program_invocation_short_name = (char *)(__UINTPTR_TYPE__)base;
}

/* If there is no memory, the old memory is freed. */
static inline void *
stack9_reallocf(void *old, size_t size)
{
	void *p = (realloc)(old, size);

	if (p == NULL && size != 0)
		(free)(old);
	return (p);
}

/* Reads a number of [least, most].  *why is NULL, or a word, and errno then is
 * EINVAL or ERANGE. */
static inline long long
stack9_strtonum(const char *text, long long least, long long most,
    const char **why)
{
	const int kept = errno;
	const char *wrong = NULL;
	char *end;
	long long value;

	errno = 0;
	value = strtoll(text, &end, 10);
	if (least > most || end == text || *end != '\0')
		wrong = "invalid";
	else if (value < least || (errno == ERANGE && value < 0))
		wrong = "too small";
	else if (value > most || errno == ERANGE)
		wrong = "too large";
	errno = wrong == NULL ? kept : *wrong == 'i' ? EINVAL : ERANGE;
	if (why != NULL)
		*why = wrong;
	return (wrong == NULL ? value : 0);
}

#define	getprogname	stack9_getprogname
#define	setprogname	stack9_setprogname
#define	reallocf	stack9_reallocf
#define	strtonum	stack9_strtonum
#endif

#ifdef __cplusplus
}
#endif

#endif /* STACK9_BSD_, STACK9_STDLIB_H */
