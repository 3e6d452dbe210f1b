// Follows what a coroutine awaits, down to the future that it waits for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "objects.h"

namespace stack9::languages::python {

// A coroutine of a chain, and where it has stopped.
struct stopped_frame {
	std::uint64_t	code, position;
	std::uint32_t	code_index;

	bool operator==(const stopped_frame &) const = default;
};

// The chain of one task, outermost first.
struct awaits {
	enum class state : std::uint8_t {
		waits,		// for a future that is not done
		ready,		// to run: it has not begun, or what it waited
				// for is done
		runs,		// on a thread
		ended,		// or it cannot be read
	};

	state		how = state::ended;
	std::vector<stopped_frame> frames;
	std::uint64_t	future = 0;	// that it waits for

	bool operator==(const awaits &) const = default;
};

// Throws std::bad_alloc.
awaits read_awaits(memory &, const layout &, const task_layout &, types &,
    std::uint64_t coroutine);

} // namespace stack9::languages::python
