// Makes the steps of a walk whose rule is not "the CFA is sp or fp, plus a
// little".
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "rule.h"
#include "stacks.h"

namespace stack9::unwind {

// A frame of this thread; fp is given by its address.
struct position {
	std::uintptr_t		 pc;
	std::uintptr_t		 sp;
	const std::uintptr_t	*fp_at;
	bool			 exact;		// pc is not a return address
	bool			 guessed;	// found by fp alone

	std::uintptr_t lookup() const noexcept { return exact ? pc : pc - 1; }
};

enum class special_outcome : std::uint8_t {
	stepped,
	end,
	no_info,	// nothing covers the pc, and no guess holds
	stuck		// a rule cannot say this step
};

// Changes a position to its caller's.  That may be on another stack.
special_outcome step_special(rule, stacks &, range *&, position &) noexcept;

} // namespace stack9::unwind
