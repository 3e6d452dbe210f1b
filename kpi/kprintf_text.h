// One value to text as the kernel's printf writes it: numbers, strings, bits,
// bytes, with width and precision.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "kprintf.h"

namespace stack9 {

// What stood between the % and the conversion, but for the argument's size.
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
	// Pads; with a precision no more than that is written.
	void	string(const text_spec &, const char *);
	void	character(const text_spec &, char);
	// magnitude: without the sign.  bits: as %b wants them, or NULL.
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
