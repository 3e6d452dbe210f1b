/*
 * Prints the fields of libxo(3) as text, for programs that know no other output
 * than its calls.  XML, JSON and HTML are refused: xo_parse_args() fails.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_LIBXO_XO_H
#define STACK9_LIBXO_XO_H

#include <err.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

typedef int xo_ssize_t;

/* One field, "{modifiers:content/format/encoding}"; each part is a length. */
struct stack9_xo_field {
	const char	*modifiers, *content, *format, *encoding;
	int		 modifiers_len, content_len, format_len, encoding_len;
};

/* The parts end at a slash or at the brace, and not at "\\/". */
static inline const char *
stack9_xo_part(const char *p, const char *ends, int *len)
{
	const char *start = p;

	while (*p != '\0' && strchr(ends, *p) == NULL)
		p += p[0] == '\\' && p[1] != '\0' ? 2 : 1;
	*len = (int)(p - start);
	return (p);
}

/* Reads the field after a brace; returns what follows it. */
static inline const char *
stack9_xo_parse(const char *p, struct stack9_xo_field *f)
{
	memset(f, 0, sizeof(*f));
	f->modifiers = p;
	p = stack9_xo_part(p, ":/}", &f->modifiers_len);
	f->content = p;
	if (*p == ':') {
		f->content = ++p;
		p = stack9_xo_part(p, "/}", &f->content_len);
	}
	if (*p == '/') {
		f->format = ++p;
		p = stack9_xo_part(p, "/}", &f->format_len);
	}
	if (*p == '/') {
		f->encoding = ++p;
		p = stack9_xo_part(p, "}", &f->encoding_len);
	}
	return (*p == '}' ? p + 1 : p);
}

/* Prints one conversion with its arguments, or only takes them. */
static inline int
stack9_xo_convert(const char *spec, int len, va_list *ap, int show)
{
	char one[64];
	int star[2] = { 0, 0 }, stars = 0, longs = 0, i;
	FILE *to = show ? stdout : NULL;

	if (len >= (int)sizeof(one))
		return (0);
	memcpy(one, spec, (size_t)len);
	one[len] = '\0';
	for (i = 0; i < len; i++) {
		if (one[i] == '*' && stars < 2)
			star[stars++] = va_arg(*ap, int);
		longs += one[i] == 'l' || one[i] == 'j' || one[i] == 'z' ||
		    one[i] == 't' || one[i] == 'q';
	}
#define	STACK9_XO_PRINT_(type) do {					\
	type v = va_arg(*ap, type);					\
	return (to == NULL ? 0 : stars == 0 ? (fprintf)(to, one, v) :	\
	    stars == 1 ? (fprintf)(to, one, star[0], v) :		\
	    (fprintf)(to, one, star[0], star[1], v));			\
} while (0)
	switch (one[len - 1]) {
	case 's':
		STACK9_XO_PRINT_(const char *);
	case 'p':
		STACK9_XO_PRINT_(void *);
	case 'a': case 'e': case 'f': case 'g': case 'E': case 'G':
		STACK9_XO_PRINT_(double);
	case 'c': case 'd': case 'i': case 'o': case 'u': case 'x': case 'X':
		if (longs != 0)
			STACK9_XO_PRINT_(intmax_t);
		STACK9_XO_PRINT_(int);
	default:
		return (0);
	}
#undef STACK9_XO_PRINT_
}

/* Text with conversions.  A content takes the place of the one argument. */
static inline int
stack9_xo_format(const char *format, int len, const char *content,
    int content_len, va_list *ap, int show)
{
	static const char ends[] = "diouxXcspaefgEG%";
	const char *p = format, *end = format + len;
	int made = 0;

	while (p < end) {
		const char *spec = p;

		if (*p != '%') {
			made += show && putchar(*p) != EOF;
			p++;
			continue;
		}
		for (p++; p < end && strchr(ends, *p) == NULL; p++)
			;
		if (p < end)
			p++;
		if (p[-1] == '%')
			made += show && putchar('%') != EOF;
		else if (content_len != 0) {
			char one[64], text[256];

			(snprintf)(one, sizeof(one), "%.*s", (int)(p - spec),
			    spec);
			(snprintf)(text, sizeof(text), "%.*s", content_len,
			    content);
			made += show ? (fprintf)(stdout, one, text) : 0;
		} else
			made += stack9_xo_convert(spec, (int)(p - spec), ap,
			    show);
	}
	return (made);
}

static inline int
stack9_xo_has(const struct stack9_xo_field *f, const char *letters)
{
	int i;

	for (i = 0; i < f->modifiers_len; i++)
		if (strchr(letters, f->modifiers[i]) != NULL)
			return (1);
	return (0);
}

static inline int
stack9_xo_show(const struct stack9_xo_field *f, va_list *ap)
{
	const int literal = stack9_xo_has(f, "TLDPUWNE");
	const int show = !stack9_xo_has(f, "eCG[]");
	int made;

	if (literal && f->format_len == 0) {
		made = show ? (printf)("%.*s", f->content_len, f->content) : 0;
	} else
		made = stack9_xo_format(f->format_len != 0 ? f->format : "%s",
		    f->format_len != 0 ? f->format_len : 2, f->content,
		    literal ? f->content_len : 0, ap, show);
	if (show && stack9_xo_has(f, "c"))
		made += putchar(':') != EOF;
	if (show && stack9_xo_has(f, "w"))
		made += putchar(' ') != EOF;
	return (made);
}

/* Returns the number of characters. */
static inline xo_ssize_t
xo_emit(const char *p, ...)
{
	struct stack9_xo_field f;
	va_list ap;
	int made = 0;

	va_start(ap, p);
	while (*p != '\0') {
		if ((p[0] == '{' && p[1] == '{') ||
		    (p[0] == '}' && p[1] == '}')) {
			made += putchar(*p) != EOF;
			p += 2;
		} else if (*p == '{') {
			p = stack9_xo_parse(p + 1, &f);
			made += stack9_xo_show(&f, &ap);
		} else
			made += putchar(*p++) != EOF;
	}
	va_end(ap);
	return (made);
}

/* Takes no argument away.  Other styles than text are refused. */
static inline int
xo_parse_args(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strncmp(argv[i], "--libxo", 7) == 0 &&
		    strcmp(argv[i], "--libxo=text") != 0) {
			warnx("only text can be printed: %s", argv[i]);
			return (-1);
		}
	return (argc);
}

/* These give text no form. */
#define	xo_open_container(name)		((void)(name), 0)
#define	xo_close_container(name)	((void)(name), 0)
#define	xo_open_list(name)		((void)(name), 0)
#define	xo_close_list(name)		((void)(name), 0)
#define	xo_open_instance(name)		((void)(name), 0)
#define	xo_close_instance(name)		((void)(name), 0)
#define	xo_attr(name, ...)		((void)(name), 0)
#define	xo_set_version(version)		((void)(version))
#define	xo_flush()			fflush(stdout)
#define	xo_finish()			fflush(stdout)

#define	xo_err(...)			err(__VA_ARGS__)
#define	xo_errx(...)			errx(__VA_ARGS__)
#define	xo_warn(...)			warn(__VA_ARGS__)
#define	xo_warnx(...)			warnx(__VA_ARGS__)
#define	xo_error(...)			((void)fprintf(stderr, __VA_ARGS__))

#endif /* STACK9_LIBXO_XO_H */
