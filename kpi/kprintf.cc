// Reads the kernel's printf formats and their arguments, and hands each value
// to a text_writer.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "kprintf.h"

#include <algorithm>
#include <climits>
#include <cstring>

#include <sys/types.h>

namespace stack9 {
namespace {

enum class size { chr, shrt, norm, lng, quad, max, ptr, sz };

// The text between the % and the conversion.
struct spec : text_spec {
	size	arg = size::norm;
};

class formatter {
public:
	formatter(text_put put, void *arg, std::va_list ap) noexcept
	    : out_(put, arg) { va_copy(ap_, ap); }
	formatter(const formatter &) = delete;
	~formatter() { va_end(ap_); }

	std::size_t	run(const char *fmt);

private:
	const char	*parse(const char *p, spec &);
	void		 star(spec &);
	bool		 convert(char conversion, spec &);
	void		 signed_number(const spec &, unsigned int base);
	void		 unsigned_number(const spec &, unsigned int base,
			    bool upper = false);
	void		 bits(spec &);
	std::intmax_t	 next_signed(size);
	std::uintmax_t	 next_unsigned(size);

	text_writer	 out_;
	std::va_list	 ap_;
};

std::size_t
formatter::run(const char *fmt)
{
	for (;;) {
		const std::size_t plain = std::strcspn(fmt, "%");
		out_.text(fmt, plain);
		fmt += plain;
		if (*fmt == '\0')
			return out_.made();
		spec s;
		const char *const end = parse(fmt + 1, s);
		if (!convert(*end, s)) {
			// The size of its argument is unknown, so no later
			// argument can be found: the rest stays as it is.
			out_.text(fmt, std::strlen(fmt));
			return out_.made();
		}
		fmt = end + 1;
	}
}

// Returns the last digit.
const char *
decimal(const char *p, int &to) noexcept
{
	std::int64_t n = 0;

	for (; *p >= '0' && *p <= '9'; ++p)
		n = std::min<std::int64_t>(n * 10 + (*p - '0'), INT_MAX);
	to = static_cast<int>(n);
	return p - 1;
}

// Returns the address of the conversion.
const char *
formatter::parse(const char *p, spec &s)
{
	for (;; ++p)
		switch (*p) {
		case '#':
			s.prefix = true;
			break;
		case '+':
			s.sign = true;
			break;
		case '-':
			s.left = true;
			break;
		case '.':
			s.has_precision = true;
			break;
		case '*':
			star(s);
			break;
		case 'h':
			s.arg = s.arg == size::shrt ? size::chr : size::shrt;
			break;
		case 'l':
			s.arg = s.arg == size::lng ? size::quad : size::lng;
			break;
		case 'q':
			s.arg = size::quad;
			break;
		case 'j':
			s.arg = size::max;
			break;
		case 't':
			s.arg = size::ptr;
			break;
		case 'z':
			s.arg = size::sz;
			break;
		case '0':
			if (!s.has_precision) {
				s.zero = true;
				break;
			}
			[[fallthrough]];
		case '1': case '2': case '3': case '4': case '5':
		case '6': case '7': case '8': case '9':
			p = decimal(p, s.has_precision ?
			    s.precision : s.width);
			break;
		default:
			return p;
		}
}

// A negative width flips the side; in C it means the left side.  A negative
// precision is 0; in C it is none.
void
formatter::star(spec &s)
{
	const int n = va_arg(ap_, int);

	if (s.has_precision) {
		s.precision = std::max(n, 0);
		return;
	}
	s.left ^= n < 0;
	s.width = n < 0 ? -std::max(n, -INT_MAX) : n;
}

// Returns false for a conversion that the kernel does not have.
bool
formatter::convert(char conversion, spec &s)
{
	switch (conversion) {
	case '%':
		out_.text("%", 1);
		return true;
	case 'c':
		out_.character(s, static_cast<char>(va_arg(ap_, int)));
		return true;
	case 's':
		out_.string(s, va_arg(ap_, const char *));
		return true;
	case 'd':
	case 'i':
		signed_number(s, 10);
		return true;
	case 'u':
		unsigned_number(s, 10);
		return true;
	case 'o':
		unsigned_number(s, 8);
		return true;
	case 'x':
	case 'X':
		unsigned_number(s, 16, conversion == 'X');
		return true;
	case 'y':
		signed_number(s, 16);
		return true;
	case 'r':	// the caller's radix; sbuf(9)'s is always 10
		if (s.sign)
			signed_number(s, 10);
		else
			unsigned_number(s, 10);
		return true;
	case 'p':
		s.prefix = s.width == 0;
		out_.number(s, reinterpret_cast<std::uintptr_t>(
		    va_arg(ap_, void *)), 16);
		return true;
	case 'b':
		bits(s);
		return true;
	case 'D': {
		const auto *const data = va_arg(ap_, const unsigned char *);
		out_.bytes(s, data, va_arg(ap_, const char *));
		return true;
	}
	case 'n':	// its argument is taken, nothing is stored
		static_cast<void>(va_arg(ap_, void *));
		return true;
	default:
		return false;
	}
}

void
formatter::signed_number(const spec &s, unsigned int base)
{
	const std::intmax_t n = next_signed(s.arg);
	const std::uintmax_t magnitude = static_cast<std::uintmax_t>(n);

	out_.number(s, n < 0 ? -magnitude : magnitude, base, n < 0);
}

void
formatter::unsigned_number(const spec &s, unsigned int base, bool upper)
{
	out_.number(s, next_unsigned(s.arg), base, false, upper);
}

// Takes a number and a string: a byte that is the base, then names as
// bit_names() reads them.
void
formatter::bits(spec &s)
{
	const std::uintmax_t n = next_unsigned(s.arg);
	const char *const names = va_arg(ap_, const char *);
	const unsigned int base = static_cast<unsigned char>(*names);

	s.left = true;
	out_.number(s, n, base >= 2 && base <= 36 ? base : 10, false, false,
	    base == 0 ? names : names + 1);
}

std::intmax_t
formatter::next_signed(size arg)
{
	switch (arg) {
	case size::chr:
		return static_cast<signed char>(va_arg(ap_, int));
	case size::shrt:
		return static_cast<short>(va_arg(ap_, int));
	case size::norm:
		return va_arg(ap_, int);
	case size::lng:
		return va_arg(ap_, long);
	case size::quad:
		return va_arg(ap_, long long);
	case size::max:
		return va_arg(ap_, std::intmax_t);
	case size::ptr:
		return va_arg(ap_, std::ptrdiff_t);
	case size::sz:
		return va_arg(ap_, ssize_t);
	}
	__builtin_unreachable();
}

std::uintmax_t
formatter::next_unsigned(size arg)
{
	switch (arg) {
	case size::chr:
		return static_cast<unsigned char>(va_arg(ap_, int));
	case size::shrt:
		return static_cast<unsigned short>(va_arg(ap_, int));
	case size::norm:
		return va_arg(ap_, unsigned int);
	case size::lng:
		return va_arg(ap_, unsigned long);
	case size::sz:
		return va_arg(ap_, std::size_t);
	default:
		return static_cast<std::uintmax_t>(next_signed(arg));
	}
}

} // namespace

std::size_t
kvprintf(text_put put, void *arg, const char *fmt, std::va_list ap)
{
	return formatter(put, arg, ap).run(fmt != nullptr ? fmt :
	    "(fmt null)\n");
}

} // namespace stack9
