// Says where the structures of Lua have their members, by version.
//
// The offsets are those of the structures of lstate.h and lobject.h.
// Maintenance of a release keeps them, except one.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "languages/runtime.h"
#include "languages/symbols.h"

namespace stack9::languages::lua {

// Says what the file of a runtime has, by addresses of its image.
struct places final : process::attachment {
	found_symbol	identity, resume;
};

// Offsets in bytes.
struct layout {
	unsigned int	minor = 0;	// 5.minor; 0: it is not known
	// lua_State.
	std::uint16_t	jump;
	// CallInfo, and bits of its callstatus.
	std::uint16_t	saved_pc, call_status;
	std::uint16_t	is_hooked, is_fresh, is_finalizer;
	// Proto.
	std::uint16_t	first_line, constants, code, lines, further_lines,
			variables, upvalues, source, lines_count,
			further_count;
	std::uint16_t	upvalue_size;
	// A node of a table: the key's value and type.
	std::uint16_t	node_size, key, key_type;
	bool		has_order = false;	// metamethods lt and le are
						// named so
};

// Those that all have: lua_State, CallInfo, objects.
inline constexpr std::uint64_t state_global = 24, state_call = 32,
    call_previous = 16, object_type = 8, closure_of = 24, text_at = 24,
    registry = 64, value_size = 16;
// Types of objects; a value's has a bit more if it is collectable.
inline constexpr std::uint8_t type_short = 4, type_table = 5, type_lua = 6,
    type_thread = 8, type_long = 0x14, type_c = 0x16, type_c_closure = 0x26,
    type_bits = 0x3f;
// Both have this bit and the one for a tail call.  In 5.3 this bit says that a
// call is of Lua, in 5.4 that it is of C.
inline constexpr std::uint16_t call_kind = 2, call_is_tail = 0x20;

inline constexpr layout release_5_3{3, 88, 40, 66, 4, 8, 0x100, 40, 48, 56,
    72, 0, 80, 88, 104, 28, 0, 16, 32, 16, 24};
inline constexpr layout release_5_4{4, 88, 32, 62, 8, 4, 0x80, 44, 56, 64,
    88, 96, 104, 80, 112, 28, 40, 16, 24, 16, 9};

} // namespace stack9::languages::lua
