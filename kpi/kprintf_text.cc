// Turns values into text.  Each piece leaves at once, so no buffer has to hold
// the whole.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "kprintf.h"

#include <algorithm>
#include <cstring>

namespace stack9 {
namespace {

constexpr char small[] = "0123456789abcdefghijklmnopqrstuvwxyz";
constexpr char capital[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

// Digits are written from the right, so that no length is needed first.
struct digits {
	char		 text[64];	// base 2 is the longest
	std::size_t	 len = 0;

	digits(std::uintmax_t n, unsigned int base, bool upper) noexcept
	{
		const char *const set = upper ? capital : small;
		do
			text[sizeof text - ++len] = set[n % base];
		while ((n /= base) != 0);
	}

	const char *begin() const noexcept { return text + sizeof text - len; }
};

} // namespace

void
text_writer::text(const char *str, std::size_t len)
{
	if (len == 0)
		return;
	put_(arg_, str, len);
	made_ += len;
}

void
text_writer::string(const text_spec &s, const char *str)
{
	if (str == nullptr)
		str = "(null)";
	padded(s, str, s.has_precision ? strnlen(str,
	    static_cast<std::size_t>(s.precision)) : std::strlen(str));
}

void
text_writer::character(const text_spec &s, char c)
{
	padded(s, &c, 1);
}

// The flag 0 pads text with zeros on the left and, in the kernel, also on the
// right.
void
text_writer::padded(const text_spec &s, const char *str, std::size_t len)
{
	const char c = s.zero ? '0' : ' ';
	const int pad = len < static_cast<std::size_t>(s.width) ?
	    s.width - static_cast<int>(len) : 0;

	if (!s.left)
		fill(c, pad);
	text(str, len);
	if (s.left)
		fill(c, pad);
}

void
text_writer::fill(char c, int count)
{
	const char *const run = c == '0' ? "0000000000000000" :
	    "                ";

	for (; count > 0; count -= 16)
		text(run, static_cast<std::size_t>(std::min(count, 16)));
}

// bits are the names of bits to follow the number, or NULL.
void
text_writer::number(const text_spec &s, std::uintmax_t n, unsigned int base,
    bool negative, bool upper, const char *bits)
{
	const digits d(n, base, upper);
	const int len = static_cast<int>(d.len);
	const char *prefix = "";
	if (s.prefix && n != 0)	// never "0x0", and 0x with %X too
		prefix = base == 16 ? "0x" : base == 8 ? "0" : "";
	const int head = static_cast<int>(std::strlen(prefix)) + negative;
	// The flag 0 beats a precision here; in C the precision wins.
	const int least = s.zero && !s.left ? s.width - head : s.precision;
	const std::size_t start = made_;

	if (!s.left)
		fill(' ', s.width - head - std::max(least, len));
	if (negative)
		text("-", 1);
	text(prefix, std::strlen(prefix));
	fill('0', least - len);
	text(d.begin(), d.len);
	if (bits != nullptr && n != 0)
		bit_names(n, bits);
	const std::size_t made = made_ - start;
	if (s.left && made < static_cast<std::size_t>(s.width))
		fill(' ', s.width - static_cast<int>(made));
}

// names holds, for each bit, a byte of 1 to 32 with its number, and then its
// letters.
void
text_writer::bit_names(std::uintmax_t n, const char *names)
{
	const char *separator = "<";

	while (*names != '\0') {
		const unsigned int bit = static_cast<unsigned char>(*names++);
		std::size_t len = 0;
		while (static_cast<unsigned char>(names[len]) > ' ')
			len++;
		if (bit <= 32 && (n >> (bit - 1) & 1) != 0) {
			text(separator, 1);
			text(names, len);
			separator = ",";
		}
		names += len;
	}
	if (*separator == ',')
		text(">", 1);
}

void
text_writer::bytes(const text_spec &s, const unsigned char *byte,
    const char *between)
{
	const std::size_t len = std::strlen(between);

	for (int left = s.width != 0 ? s.width : 16; left > 0; byte++) {
		const char pair[] = {small[*byte >> 4], small[*byte & 0xf]};
		text(pair, sizeof pair);
		if (--left > 0)
			text(between, len);
	}
}

} // namespace stack9
