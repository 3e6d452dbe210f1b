// Declares the rules of a function whose program of call frame information is
// long: they are made in one pass, because reading the program again for each
// pc would take its length each time.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "row.h"
#include "rule.h"

namespace stack9::unwind {

struct function_rules {
	// A rule holds from this distance to that of the next part.
	struct part {
		std::uint32_t	from;
		rule		what;
	};

	std::uintptr_t	  begin = 0, end = 0;
	std::vector<part> parts;

	bool
	covers(std::uintptr_t pc) const noexcept
	{
		return pc - begin < end - begin;
	}
	// To be called for a pc that is covered.
	rule at(std::uintptr_t pc) const noexcept;
};

// Returns how many bytes are read for a row of this FDE, with its CIE; 0: it is
// malformed.
std::uint64_t programs_size(const cfi_section &, std::size_t fde_offset)
    noexcept;

// False: the program is malformed, or its function is a signal's frame: rules
// alone do not describe that.  Throws std::bad_alloc.
bool rules_of_fde(const cfi_section &, std::size_t fde_offset,
    function_rules &to);

} // namespace stack9::unwind
