// Reads what the machine has of a method: its name, its file, and the lines of
// its bytecodes.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "layout.h"

namespace stack9::languages::java {

struct method {
	std::uint64_t	at = 0;		// 0: there is none
	std::string	name;		// "com.shop.Cart.total"
	std::string	file;		// "Cart.java"; "": not known
	bool		is_native = false;
	std::uint64_t	code = 0;	// its first bytecode
	std::uint32_t	code_size = 0;
	bool		has_lines = false;

	bool
	holds(std::uint64_t bytecode) const noexcept
	{
		return bytecode - code < code_size;
	}
};

// False: there is no method.  Throws std::bad_alloc.
bool read_method(unwind::memory &, const layout &, std::uint64_t at, method &);

// Stores the name of a class as its people write it.  False: it cannot be read.
// Throws std::bad_alloc.
bool read_class_name(unwind::memory &, const layout &, std::uint64_t at,
    std::string &);

// Reads the lines of most methods whole, so that they are noted with it.
void touch_lines(unwind::memory &, const method &);

// Gives the line of a bytecode by its index.  0: it is not known.
std::uint32_t line_of(unwind::memory &, const layout &, const method &,
    std::uint32_t index);

} // namespace stack9::languages::java
