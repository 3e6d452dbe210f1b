// Reads what compiled Ruby code says of itself: its label, its file, and the
// line of a position.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "objects.h"

namespace stack9::languages::ruby {

struct compiled {
	std::uint64_t	body = 0;	// of the code; 0: there is none
	std::uint64_t	begin = 0;	// of its instructions
	std::uint64_t	size = 0;	// of them, in words
	std::uint64_t	method = 0;	// the code whose block this is, or this
	bool		is_method = false;	// that code is a method
	std::string	label;		// "block in reserve"
	std::string	base;		// "reserve"
	std::string	file;
	bool		has_file = false;	// file was read; it may be ""
};

// False: there is no code.
bool read_compiled(unwind::memory &, const layout &, std::uint64_t at,
    compiled &);

// True if the name of a class belongs before a part of the label: if it is one
// of a method, or of a block in one.  "block in reserve" becomes "block in
// Shop#reserve".
bool has_class(const compiled &);
// Puts it there.
void add_class(const compiled &, const std::string &, std::string &label);

// Gives the line of a position: the address after an instruction.  0: it is not
// in this code.
std::uint32_t line_of(unwind::memory &, const layout &, const compiled &,
    std::uint64_t position);

} // namespace stack9::languages::ruby
