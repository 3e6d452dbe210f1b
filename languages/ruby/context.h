// Finds the execution context of a thread: what Ruby knows of the stack that it
// runs now, its own or that of a fiber.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

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

} // namespace stack9::languages::ruby
