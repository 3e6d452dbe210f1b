// Reads what a code object says of its function: the name, the file, and the
// line of a position.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "layout.h"

namespace stack9::languages::python {

struct code_object {
	std::uint64_t	at = 0;
	std::string	name, file;	// "orders.Shop.reserve" has no module
	std::string	lines;		// the bytes of its table of lines
	std::uint32_t	first_line = 0;
};

// False: there is no code object.
bool read_code(unwind::memory &, const layout &, std::uint64_t at,
    code_object &);

// Gives the line of a position: what its release keeps in a frame.  0: the code
// there is of no line, or the position is not in this code.
std::uint32_t line_of(unwind::memory &, const layout &, const code_object &,
    std::uint64_t position, std::uint64_t thread_code_index);

} // namespace stack9::languages::python
