// Finds the line of a part of a statement, as Perl's messages have it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "names.h"

namespace stack9::languages::perl {

// Gives the COP that is nearest before an OP: that of its statement, or one in
// it that was turned into an empty OP because no code needs it (elsif).
// is_behind: the OP is the one after that which is sought.
std::uint64_t closest_cop(unwind::memory &, const layout &, std::uint64_t cop,
    std::uint64_t op, bool is_behind);

// A statement whose OPs may be gone when its lines are asked for.
struct statement {
	struct one_op {
		std::uint64_t	at, next;
		std::size_t	place;
	};
	std::vector<line_of_file> places;	// that of the COP comes first
	std::vector<one_op> ops;	// as they are written

	// Gives the place of what closest_cop() would give.
	const line_of_file &at(std::uint64_t op, bool is_behind) const;
};

statement read_statement(unwind::memory &, const layout &, std::uint64_t cop);

} // namespace stack9::languages::perl
