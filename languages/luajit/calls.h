// Reads the calls of a state of LuaJIT, innermost first.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "states_of_thread.h"

namespace stack9::languages::luajit {

struct lua_call {
	std::uint64_t	prototype = 0;	// of a function of Lua, or 0
	std::uint64_t	c_function = 0;	// of one of C that has an address
	std::uint64_t	pc = 0;		// the next instruction; 0: not known
	std::size_t	c_frame = 0;	// the number of the loop that runs it
	bool		is_from_c = false;	// C has called it
};

// False: a call cannot be read, or the loop was called otherwise.  Throws
// std::bad_alloc.
bool read_calls(memory &, const lua_thread &, std::vector<lua_call> &);

} // namespace stack9::languages::luajit
