// Reads the calls of a state of Lua, innermost first.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "states.h"

namespace stack9::languages::lua {

struct frame {
	// The prototype of a function of Lua, and the next instruction; the
	// address of one of C, and 0.
	std::uint64_t	function, pc;
	// The closure, or the C function: the value that a table has.
	std::uint64_t	value;
	bool		is_lua, is_fresh, is_tail, is_hooked, is_finalizer;
	bool		is_outermost;	// of the state

	// One call of the loop runs frames up to one that C has called.
	bool ends_share() const noexcept { return is_lua && is_fresh; }
};

// Adds them.  False: a call cannot be read.  Throws std::bad_alloc.
bool read_frames(unwind::memory &, const layout &, const state &,
    std::vector<frame> &);

} // namespace stack9::languages::lua
