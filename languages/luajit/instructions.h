// Says what an instruction of LuaJIT 2.1 changes and calls (lj_bc.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <iterator>

namespace stack9::languages::luajit {

// Numbers of instructions.
enum : std::uint32_t {
	move = 18, arithmetic_first = 19, arithmetic_last = 43, load_nil = 44,
	get_upvalue = 45, get_global = 54, get_first = 56, get_field = 57,
	get_last = 59, set_many = 63, call_first = 65, iterate_call = 69,
	call_last = 70, next_check = 72, return_many = 73,
};

inline std::uint32_t op_of(std::uint32_t i) noexcept { return i & 0xff; }
inline std::uint32_t a_of(std::uint32_t i) noexcept { return i >> 8 & 0xff; }
inline std::uint32_t c_of(std::uint32_t i) noexcept { return i >> 16 & 0xff; }
inline std::uint32_t d_of(std::uint32_t i) noexcept { return i >> 16; }

// Returns true if it changes all slots from a on.
inline bool
changes_all(std::uint32_t op) noexcept
{
	return op == load_nil || op == set_many || (op >= call_first &&
	    op <= return_many) || (op >= 77 && op <= 84);
}

// Returns true if it changes slot a.
inline bool
changes_one(std::uint32_t op) noexcept
{
	return op == 12 || op == 13 || (op >= move && op <= arithmetic_last) ||
	    op == get_upvalue || (op >= 51 && op <= get_global) ||
	    (op >= get_first && op <= get_last);
}

// The metamethod that an instruction may call; "": it calls none.
inline const char *
event_of(std::uint32_t op) noexcept
{
	static constexpr const char *arithmetic[] = {"__add", "__sub",
	    "__mul", "__div", "__mod"};
	static constexpr const char *other[] = {"__lt", "__lt", "__le",
	    "__le"};
	if (op < std::size(other))
		return other[op];
	if (op < 12)
		return "__eq";
	if (op >= 22 && op <= 36)
		return arithmetic[(op - 22) % std::size(arithmetic)];
	switch (op) {
	case 20:
		return "__unm";
	case 21:
		return "__len";
	case 37:
		return "__pow";
	case 38:
		return "__concat";
	case get_global:
	case 56: case 57: case 58: case 59:
		return "__index";
	case 55: case 60: case 61: case 62: case 63: case 64:
		return "__newindex";
	}
	return "";
}

} // namespace stack9::languages::luajit
