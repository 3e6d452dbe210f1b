// Full stepping: all registers of a frame, by everything that unwind
// information can say.  The slow path behind the rules, 0.1 to 0.3 us a frame.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "cfi.h"
#include "memory.h"
#include "registers.h"

namespace stack9::unwind {

enum class outcome : std::uint8_t {
	stepped,
	end,		// the outermost frame, by its unwind information
	zero,		// its return address is 0
	no_info,	// nothing covers the pc
	no_register,	// one is needed that is not known
	no_memory,	// a word is needed that the memory does not have
	malformed,	// the unwind information leads nowhere
};

// Takes the frame to its caller's.  On any other outcome than stepped the
// registers are as they were.  Async-signal-safe, no lock, no allocation.
outcome full_step(const row &, memory &, registers &) noexcept;

// What full_step() does for the frame's pc in this process.
outcome full_step_here(memory &, registers &) noexcept;

} // namespace stack9::unwind
