/*
 * Uses what FreeBSD's headers of the C library show to every file, and asserts
 * what it does here.  It is C and C++.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define	MUST(exp) do {							\
	if (!(exp))							\
		errx(1, "line %d: %s", __LINE__, #exp);			\
} while (0)

static void
say(const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	MUST(vasprintf(&text, fmt, ap) == 9);
	va_end(ap);
	warnc(ENOENT, "%s", text);
	va_start(ap, fmt);
	vwarnc(EPERM, fmt, ap);
	va_end(ap);
	free(text);
}

static void
strings(void)
{
	char to[6];
	size_t (*copy)(char *, const char *, size_t) = strlcpy;

	MUST(copy(to, "abcdefgh", sizeof(to)) == 8);
	MUST(strcmp(to, "abcde") == 0);
	MUST(strlcpy(to, "ab", sizeof(to)) == 2);
	MUST(strlcat(to, "cdefgh", sizeof(to)) == 8);
	MUST(strcmp(to, "abcde") == 0);
	MUST(strlcat(to, "x", 3) == 4);
	MUST(strnstr("abcdef", "cd", 4) != NULL);
	MUST(strnstr("abcdef", "cd", 3) == NULL);
	MUST(strnstr("ab", "abc", 3) == NULL && strnstr("ab", "", 0) != NULL);
	MUST(strcasestr("ABC", "b") != NULL);
	MUST(memmem("abc", 3, "bc", 2) != NULL);
}

#ifndef LIBBSD_OVERLAY
static void
numbers(void)
{
	const char *why;

	MUST(strtonum("9", 0, 10, &why) == 9 && why == NULL);
	MUST(strtonum("12", 0, 10, &why) == 0 && errno == ERANGE);
	MUST(strcmp(why, "too large") == 0);
	MUST(strtonum("-1", 0, 10, &why) == 0);
	MUST(strcmp(why, "too small") == 0);
	MUST(strtonum("1x", 0, 10, &why) == 0 && errno == EINVAL);
	MUST(strcmp(why, "invalid") == 0);
}
#endif

int
main(void)
{
	char *text;
	int fds[2];

	setprogname("/of/somebody");
	MUST(strcmp(getprogname(), "somebody") == 0);
	MUST(asprintf(&text, "%d:%s", 7, "x") == 3 && strcmp(text, "7:x") == 0);
	text = (char *)reallocf(text, 100);
	MUST(text != NULL && strcmp(text, "7:x") == 0);
	free(text);
	MUST(pipe2(fds, 0) == 0);
	say("%s of %d", "said", 1);
	strings();
#ifndef LIBBSD_OVERLAY	/* its strtonum() is another one until 0.12 */
	numbers();
#endif
	errno = 0;
	errc(0, EACCES, "%s", "end");
}
