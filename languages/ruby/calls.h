// Finds the calls of Ruby's loop, and of functions in C, among native frames.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "languages/runtime.h"

namespace stack9::languages::ruby {

// One call of the loop.  It runs a frame with the flag FINISH, and those that
// it has called.
struct call {
	std::uint32_t	loop;	// index of the native frame
};

// Gives them, innermost first.  instruction: a word of compiled code, and so an
// address in the loop.  0: none is known.
std::vector<call> find_calls(const question &, std::uint64_t instruction);

// Finds a native frame of a function in [from, to).  to: there is none.
// Compares at most `left`, and takes them off.
std::uint32_t find_function(const question &, std::uint64_t function,
    std::uint32_t from, std::uint32_t to, unsigned int &left);

} // namespace stack9::languages::ruby
