// Finds the calls of PHP's loop on the native stack, and walks that stack
// through code that PHP's JIT has made.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "frames.h"
#include "layout.h"

namespace stack9::languages::php {

// The loop: execute_ex(), or JIT code that runs on its native frame.
struct loop_call {
	std::uint32_t	at;		// index of the native frame
	bool		is_left = false;	// its frame has been left, and
					// what that had is being destroyed
};

// The calls that the pcs show, innermost first.
std::vector<loop_call> find_loops(const question &, const loaded &,
    const places &);

// Walks the native stack again, by all registers.  In the loop one of them has
// the innermost frame, and so shows whether the frame has been left.  Made code
// is known by what has called the loop; what the walk finds beyond it is added
// to the native stack.  False: it has come no further than that.
bool walk_again(const question &, const loaded &, const places &,
    const std::vector<frame> &, std::vector<loop_call> &);

} // namespace stack9::languages::php
