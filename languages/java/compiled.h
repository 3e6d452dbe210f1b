// Reads what the machine has of a compiled method: the methods and bytecodes
// that an address is of, and where its stack frames are left.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "code_cache.h"
#include "layout.h"

namespace stack9::languages::java {

// A call, inlined into the next one or not.
struct scope {
	std::uint64_t	method;		// its address
	std::int32_t	bytecode;	// its index, below 0: before the first
};

// Adds the scopes of an address, innermost first.  exact: the address is that
// of any instruction; otherwise it is a return address.  False: it has none.
// Throws std::bad_alloc.
bool scopes_of(unwind::memory &, const layout &, const blob &,
    std::uint64_t pc, bool exact, std::vector<scope> &);

// The method that was compiled; 0: it cannot be read.
std::uint64_t method_of(unwind::memory &, const layout &, const blob &);

// Gives the address that a frame returns to if the machine has replaced it by
// the method's handler for frames that are to be interpreted again: it is kept
// in the frame, whose stack pointer is given.
std::uint64_t original_pc(unwind::memory &, const layout &, const blob &,
    std::uint64_t pc, std::uint64_t sp);

} // namespace stack9::languages::java
