// Formats values as the kernel's printf does.  kvprintf() reads a format and
// its arguments; text_writer turns one value into text.  Async-signal-safe: no
// heap, lock or locale, some 400 bytes of stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>

namespace stack9 {

// Takes a piece of text as soon as it is made.  A NUL made by %c comes alone.
using text_put = void (*)(void *arg, const char *text, std::size_t len);

// Returns the length of the whole text.  man/sbuf.9 describes the formats.
std::size_t kvprintf(text_put put, void *arg, const char *fmt,
    std::va_list ap);

// The text between the % and the conversion, without the argument's size.
struct text_spec {
	int	width = 0;		// never negative
	int	precision = 0;		// never negative
	bool	has_precision = false;
	bool	left = false;		// pad on the right
	bool	zero = false;		// pad with 0
	bool	prefix = false;		// 0 or 0x
	bool	sign = false;		// %r is signed
};

class text_writer {
public:
	text_writer(text_put put, void *arg) noexcept : put_(put), arg_(arg) {}

	void	text(const char *, std::size_t len);
	// Pads the text.  With a precision, writes no more than that.
	void	string(const text_spec &, const char *);
	void	character(const text_spec &, char);
	// magnitude has no sign.  bits are the names of bits as %b takes
	// them, or NULL.
	void	number(const text_spec &, std::uintmax_t magnitude,
		    unsigned int base, bool negative = false,
		    bool upper = false, const char *bits = nullptr);
	void	bytes(const text_spec &, const unsigned char *,
		    const char *between);
	std::size_t	made() const noexcept { return made_; }

private:
	void	bit_names(std::uintmax_t, const char *names);
	void	padded(const text_spec &, const char *, std::size_t len);
	void	fill(char c, int count);

	text_put	 put_;
	void		*arg_;
	std::size_t	 made_ = 0;	// characters so far
};

} // namespace stack9
