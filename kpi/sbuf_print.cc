// Prints bytes as text into an sbuf, and prints an sbuf where stack_print()
// prints.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9/sys/sbuf.h>

#include <cstring>

#include "sinks.h"

namespace {

void
hex_columns(struct sbuf *s, const unsigned char *line, int n, int columns,
    char delimiter)
{
	for (int i = 0; i < n; i++)
		sbuf_printf(s, "%c%02x", delimiter, line[i]);
	for (int i = n; i < columns; i++)
		sbuf_cat(s, "   ");
}

void
text_columns(struct sbuf *s, const unsigned char *line, int n, int columns)
{
	sbuf_cat(s, "  |");
	for (int i = 0; i < n; i++)
		sbuf_putc(s, line[i] >= ' ' && line[i] <= '~' ? line[i] : '.');
	sbuf_printf(s, "%*s|", columns - n, "");
}

} // namespace

void
sbuf_hexdump(struct sbuf *s, const void *ptr, int length, const char *hdr,
    int flags)
{
	const auto *const data = static_cast<const unsigned char *>(ptr);
	const int columns = (flags & HD_COLUMN_MASK) != 0 ?
	    flags & HD_COLUMN_MASK : 16;
	const int delimiter = (flags & HD_DELIM_MASK) != 0 ?
	    (flags & HD_DELIM_MASK) >> 8 : ' ';

	for (int at = 0; at < length; ) {
		const int n = length - at < columns ? length - at : columns;
		if (hdr != nullptr)
			sbuf_cat(s, hdr);
		if ((flags & HD_OMIT_COUNT) == 0)
			sbuf_printf(s, "%04x  ", static_cast<unsigned int>(at));
		if ((flags & HD_OMIT_HEX) == 0)
			hex_columns(s, data + at, n, columns,
			    static_cast<char>(delimiter));
		if ((flags & HD_OMIT_CHARS) == 0)
			text_columns(s, data + at, n, columns);
		sbuf_putc(s, '\n');
		at += n;
	}
}

void
sbuf_putbuf(struct sbuf *s)
{
	const char *const text = sbuf_data(s);
	const std::size_t len = std::strlen(text);

	if (len > 0)
		stack9::drain_print(nullptr, text, static_cast<int>(len));
}

int
sbuf_count_drain(void *arg, const char *, int len)
{
	*static_cast<std::size_t *>(arg) += static_cast<std::size_t>(len);
	return len;
}

// Text ends at a NUL here, as it does on a console.  The final NUL of
// SBUF_INCLUDENUL is not shown.
int
sbuf_printf_drain(void *arg, const char *data, int len)
{
	const std::size_t shown = strnlen(data, static_cast<std::size_t>(len));

	if (shown > 0)
		stack9::drain_print(nullptr, data, static_cast<int>(shown));
	if (arg != nullptr)
		sbuf_count_drain(arg, data, len);
	return len;
}
