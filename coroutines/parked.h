// Copies the stacks of goroutines that have stopped, without stopping anything.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/seam/user_copy.h"

#include "go_runtime.h"

namespace stack9::coroutines {

// A goroutine at one moment, and its stack.
struct parked {
	enum class outcome : std::uint8_t {
		copied,
		ran,		// it ran each time that its stack was copied
		unreadable,	// its stack cannot be, or is none
		left_out,	// beyond the budget
		gone,		// it has ended
	};

	std::uint64_t	at;		// its address
	goroutine	g;
	outcome		how = outcome::ran;
	std::vector<std::byte> stack;	// from sp up to its end
};

// Copies the stacks of those that g says have stopped.
//
// A goroutine that ran while its stack was copied is found out: its record is
// read before the copy and after it and has to be the same, and so is the
// stack, if it is not large.  Since Go 1.17 the record counts, up to 256, how
// often the goroutine has stopped.
void copy_stacks(const memory &, const go_runtime &, std::vector<parked> &);

} // namespace stack9::coroutines
