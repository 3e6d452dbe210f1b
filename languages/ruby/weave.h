// Puts the frames of Ruby into the native stack of their thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "languages/runtime.h"

namespace stack9::languages::ruby {

// A frame of compiled code, or of a function in C.
struct named_frame {
	bool		is_function = false;
	bool		ends_loop = false;
	bool		is_known = true;	// false: its name is not
	std::string	name = "?", file;
	std::uint32_t	line = 0;
	std::uint64_t	function = 0;	// in C; 0: it is not known
};

// Adds them, innermost first, and replaces the calls of the loop.  instruction:
// a word of compiled code; 0: none is known.  Throws std::bad_alloc.
void weave(const question &, std::span<const named_frame>,
    std::uint64_t instruction, written_stack &);

} // namespace stack9::languages::ruby
