// Finds the states of LuaJIT that a thread runs, innermost first.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "languages/runtime.h"

namespace stack9::languages::luajit {

// A call of the loop.
struct c_frame {
	std::uint64_t	at, pc;
	std::int32_t	results;
};

struct lua_thread {
	std::uint64_t	at, base, stack;
	std::vector<c_frame> c_frames;	// innermost first
};

// Throws std::bad_alloc.
std::vector<lua_thread> threads_on(const question &);

} // namespace stack9::languages::luajit
