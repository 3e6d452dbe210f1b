// Reads the strings of V8.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "heap.h"

namespace stack9::languages::javascript {

// Gives a string as UTF-8, at most 1024 characters of it.  False: none is
// there.
bool read_string(heap &, tagged, std::string &to);

// The characters of a string that are in one place.
struct characters {
	std::uint64_t	at = 0;
	std::uint32_t	length = 0;
	std::uint8_t	width = 1;	// bytes of a character: 1 or 2
};

// False: none is there, or the string is of parts.
bool find_characters(heap &, tagged, characters &to);

} // namespace stack9::languages::javascript
