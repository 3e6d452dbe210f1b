// Decodes instructions of Lua, as far as they give the name of what they call.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace stack9::languages::lua {

enum class op : std::uint8_t {
	other, move, load_constant, load_nil, get_upvalue,
	get_of_upvalue,		// a field of a table that is an upvalue
	get_of_register,	// of one in a register
	get_field,		// the same, by a constant
	get_number,		// the same, by a number
	self, call, call_iterator, jump,
};

struct instruction {
	op		what = op::other;
	bool		sets_a = false;		// it changes register a
	// It runs where the one before it fails.
	bool		is_fallback = false;
	std::uint32_t	a = 0, b = 0, c = 0;
	std::int32_t	by = 0;			// a jump, from the next one on
	bool		is_constant = false;	// c is the number of one
	const char	*event = nullptr;	// of its metamethod
};

// minor: of 5.3 or 5.4.
instruction decode(unsigned int minor, std::uint32_t word) noexcept;

} // namespace stack9::languages::lua
