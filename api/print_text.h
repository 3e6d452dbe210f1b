// Makes texts for people: hexadecimal numbers, and how a stack ends.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <stack9.h>
#include "text/people.h"

namespace stack9 {

using text::is_scheduler, text::printable, text::state_word,
    text::thread_names;

std::string hex(std::uint64_t);			// 0x1f
std::string address(std::uint64_t);		// 0x000000000000001f
std::string_view base_name(std::string_view path) noexcept;

// Says if a captured stack is complete, and if not, why.
std::string stop_reason_of(const stack9_stack &);

inline void
widen(std::size_t &column, std::size_t text, std::size_t widest) noexcept
{
	if (text <= widest && text > column)
		column = text;
}

} // namespace stack9
