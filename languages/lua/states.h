// Finds the states of Lua that a thread runs: the program's, and those of the
// coroutines that it has resumed.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "layout.h"

namespace stack9::languages::lua {

struct state {
	std::uint64_t	at, global, call, jump;
};

// Gives them, innermost first.  Throws std::bad_alloc.
std::vector<state> find_states(const question &, const layout &);

} // namespace stack9::languages::lua
