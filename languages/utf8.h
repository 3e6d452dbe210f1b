// Writes characters as UTF-8.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

namespace stack9::languages {

// Appends a character; U+FFFD for a number that is none.  Throws
// std::bad_alloc.
inline void
put_utf8(std::uint32_t c, std::string &to)
{
	const auto put = [&](std::uint32_t byte) {
		to.push_back(static_cast<char>(byte));
	};
	if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		c = 0xfffd;
	if (c < 0x80)
		return put(c);
	if (c < 0x800) {
		put(0xc0 | c >> 6);
		return put(0x80 | (c & 0x3f));
	}
	if (c < 0x10000) {
		put(0xe0 | c >> 12);
	} else {
		put(0xf0 | c >> 18);
		put(0x80 | (c >> 12 & 0x3f));
	}
	put(0x80 | (c >> 6 & 0x3f));
	put(0x80 | (c & 0x3f));
}

} // namespace stack9::languages
