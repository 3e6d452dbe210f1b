// Finds the execution context of a thread: what Ruby knows of the stack that it
// runs now, its own or that of a fiber.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>

#include "layout.h"
#include "places.h"

namespace stack9::languages::ruby {

struct context {
	std::uint64_t	thread;		// Ruby's
	std::uint64_t	begin;		// of its stack
	std::uint64_t	frame;		// the innermost one
	std::uint64_t	end;		// frames are below
};

// False: the thread runs no Ruby.
bool find_context(const question &, const loaded &, const places &,
    const layout &, context &);

// How the thread pointer of each thread leads to its context: the offsets of
// pointers, of which S9_NOT_THERE ends those that there are.
struct way {
	std::array<std::uint16_t, S9_STEPS> steps;
};

// Finds it by the thread of the question.  False: that runs no Ruby.
bool find_way(const question &, const places &, const layout &, way &);

} // namespace stack9::languages::ruby
