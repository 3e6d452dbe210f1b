/*
 * Adds hexdump(3) to libbsd's <libutil.h>, if the compiler finds that one.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#if __has_include_next(<libutil.h>)
#include_next <libutil.h>
#endif

#ifndef STACK9_LIBUTIL_H
#define STACK9_LIBUTIL_H

#include <stdio.h>

#define	HD_COLUMN_MASK	0x000000ff	/* bytes in a line; 0: 16 */
#define	HD_DELIM_MASK	0x0000ff00	/* in front of a byte; 0: a blank */
#define	HD_OMIT_COUNT	0x00010000
#define	HD_OMIT_HEX	0x00020000
#define	HD_OMIT_CHARS	0x00040000

static inline void
stack9_hexdump_line(const unsigned char *p, int have, int columns, int flags)
{
	const int delim = (flags & HD_DELIM_MASK) >> 8;
	int i;

	for (i = 0; i < columns && (flags & HD_OMIT_HEX) == 0; i++)
		if (i < have)
			(fprintf)(stdout, "%c%02x", delim != 0 ? delim : ' ',
			    p[i]);
		else
			fputs("   ", stdout);
	if ((flags & HD_OMIT_CHARS) == 0) {
		fputs("  |", stdout);
		for (i = 0; i < columns; i++)
			putchar(i >= have ? ' ' :
			    p[i] >= ' ' && p[i] <= '~' ? p[i] : '.');
		putchar('|');
	}
	putchar('\n');
}

/* Prints bytes in hexadecimal and as characters.  Each line begins with prefix
 * if that is not NULL. */
static inline void
hexdump(const void *bytes, int len, const char *prefix, int flags)
{
	const unsigned char *p = (const unsigned char *)bytes;
	const int columns = (flags & HD_COLUMN_MASK) != 0 ?
	    flags & HD_COLUMN_MASK : 16;
	int at;

	for (at = 0; at < len; at += columns) {
		if (prefix != NULL)
			fputs(prefix, stdout);
		if ((flags & HD_OMIT_COUNT) == 0)
			(fprintf)(stdout, "%04x  ", at);
		stack9_hexdump_line(p + at, len - at, columns, flags);
	}
}

#endif /* STACK9_LIBUTIL_H */
