// Declares how a step from a frame to its caller's frame ends, and how a walk
// of many steps ends.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace stack9::unwind {

enum class outcome : std::uint8_t {
	stepped,	// a step: the caller's frame was found
	end,		// the outermost frame, by its unwind information
	zero,		// its return address is 0, where no stack begins
	strayed,	// the same, by a frame pointer that was written over
	limit,		// a walk: it has as many frames as it may have
	no_info,	// no unwind information covers the pc
	no_register,	// a register is needed that is not known
	no_memory,	// a word is needed that the memory does not have
	malformed,	// the unwind information leads nowhere
};

} // namespace stack9::unwind
