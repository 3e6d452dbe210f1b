// Says where the structures of LuaJIT 2.1 have their members, in builds with
// addresses of 47 bits (LJ_GC64), as all for x86-64 are since 2.1 is released.
//
// The offsets are those of the structures of lj_obj.h and lj_frame.h.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace stack9::languages::luajit {

// An object: its type.
inline constexpr std::uint64_t object_type = 9;
inline constexpr std::uint8_t type_string = 4, type_thread = 6,
    type_prototype = 7, type_function = 8;
inline constexpr std::uint64_t address_bits = (1ull << 47) - 1;

// lua_State.
inline constexpr std::uint64_t state_base = 32, state_stack = 56,
    state_c_frame = 80;

// A call of the loop on the native stack: how many results it has, its state,
// the instruction, and the call before it.
inline constexpr std::uint64_t c_frame_results = 8, c_frame_state = 16,
    c_frame_pc = 24, c_frame_previous = 32, c_frame_tags = 3;

// GCfunc: which one it is, 0 of Lua; its code; and the address of one of C.
inline constexpr std::uint64_t function_kind = 10, function_code = 32,
    function_c = 40;

// GCproto; its code follows it.
inline constexpr std::uint64_t proto_size = 104, proto_count = 12,
    proto_constants = 32, proto_upvalues_count = 60, proto_name = 64,
    proto_first_line = 72, proto_lines_count = 76, proto_lines = 80,
    proto_upvalue_names = 88, proto_variable_names = 96;

// GCstr.
inline constexpr std::uint64_t string_size = 20, string_text = 24;

// The link of a frame, in the word below its base.
enum : std::uint64_t {
	link_kind = 3, link_lua = 0, link_c = 1, link_continuation = 2,
	link_varargs = 3, link_bits = 7,
};

} // namespace stack9::languages::luajit
