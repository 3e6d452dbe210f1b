// Makes texts for people: escaped bytes, hexadecimal numbers, states, and how a
// stack ends.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <stack9.h>

namespace stack9 {

// Printable ASCII stays, a backslash is doubled, and any other byte becomes
// \ooo: the name of a thread must neither control the terminal nor break the
// line.
std::string printable(std::string_view);
std::string hex(std::uint64_t);			// 0x1f
std::string address(std::uint64_t);		// 0x000000000000001f
std::string_view base_name(std::string_view path) noexcept;

// The word for a state letter of /proc/TID/stat.
const char *state_word(char state) noexcept;

// True for schedule() and its like, in which every sleeper is.
bool is_scheduler(std::string_view function) noexcept;

// Whether a captured stack is complete, and why not.
std::string ending_of(const stack9_stack &);

inline void
widen(std::size_t &column, std::size_t text, std::size_t widest) noexcept
{
	if (text <= widest && text > column)
		column = text;
}

} // namespace stack9
