// Reads profiles that were written before, and compares two of them.  Shares of
// their totals are compared, for one may have taken longer than the other.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "profile.h"

namespace profiles {

// Joins both: weight is that of after, before that of before.  Functions are
// the same if their names are.
profile difference(const profile &before, const profile &after);

// Writes a line for each of the functions whose own shares changed most, the
// greatest change last.
std::string difference_text(const profile &, std::size_t most);

// Writes lines "outer;inner 12 17", as difffolded.pl does.
std::string difference_folded(const profile &);

// Gives the shares of before and after in percent.
struct shares {
	double	before = 0, after = 0;

	double change() const { return after - before; }
};
shares shares_of(std::uint64_t before, std::uint64_t all_before,
    std::uint64_t after, std::uint64_t all_after);

// Gives the class of flame.css: more is red and less is blue.
std::string colour(const shares &);

// Reads folded stacks, or JSON of this program.  Returns "" or what is wrong
// with the text.  Folded stacks have no unit.
std::string read_profile(std::string_view text, profile &);

} // namespace profiles
