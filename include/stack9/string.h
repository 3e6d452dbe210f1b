/*
 * Adds to the C library's <string.h> what FreeBSD's shows to every file.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#include <sys/_visible.h>
#include_next <string.h>

#include <sys/_bsd.h>
#if defined(STACK9_BSD_) && !defined(STACK9_STRING_H)
#define	STACK9_STRING_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef STACK9_HIDDEN_BSD_
#ifndef __cplusplus
char	*strcasestr(const char *text, const char *find);
char	*strchrnul(const char *text, int c);
void	*memmem(const void *p, size_t len, const void *find, size_t find_len);
void	*memrchr(const void *p, int c, size_t len);
#endif
#endif

#ifdef STACK9_OWN_BSD_
static inline size_t
stack9_strlcpy(char *to, const char *from, size_t size)
{
	const size_t len = strlen(from);

	if (size != 0) {
		const size_t n = len < size ? len : size - 1;
		memcpy(to, from, n);
		to[n] = '\0';
	}
	return (len);
}

static inline size_t
stack9_strlcat(char *to, const char *from, size_t size)
{
	const char *end = (const char *)memchr(to, '\0', size);
	const size_t len = end != NULL ? (size_t)(end - to) : size;

	return (len + stack9_strlcpy(to + len, from, size - len));
}

/* Looks at no more than len characters of text. */
static inline char *
stack9_strnstr(const char *text, const char *find, size_t len)
{
	const size_t n = strlen(find);

	for (; len >= n; text++, len--) {
		if (strncmp(text, find, n) == 0)
			return ((char *)(__UINTPTR_TYPE__)text);
		if (*text == '\0' || len == 0)
			break;
	}
	return (NULL);
}

/* 0: they are equal.  The time does not depend on what they are. */
static inline int
stack9_timingsafe_bcmp(const void *a, const void *b, size_t len)
{
	const volatile unsigned char *p = (const volatile unsigned char *)a;
	const volatile unsigned char *q = (const volatile unsigned char *)b;
	int different = 0;

	for (; len > 0; len--)
		different |= *p++ ^ *q++;
	return (different != 0);
}

#define	strlcpy		stack9_strlcpy
#define	strlcat		stack9_strlcat
#define	strnstr		stack9_strnstr
#define	timingsafe_bcmp	stack9_timingsafe_bcmp
#endif

#ifdef __cplusplus
}
#endif

#endif /* STACK9_BSD_, STACK9_STRING_H */
