// Prints what was seen.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "corpus_tally.h"

#include <fmt/format.h>

std::size_t
tally::expected() const
{
	std::size_t sum = 0;
	for (const auto &[why, count] : explained_)
		sum += count;
	return sum;
}

void
tally::print(const char *title) const
{
	fmt::print("{}: {} objects, {} functions, {} pcs, {} of them also by "
	    "going through the section\n", title, objects, functions, pcs,
	    searched);
	for (const auto &[kind, count] : rules_)
		fmt::print("  {:>10}  {}\n", count, kind);
	for (const auto &[why, count] : explained_)
		fmt::print("  {:>10}  differ, as expected: {}\n", count, why);
	for (const auto &[what, c] : causes_)
		fmt::print("  {:>10}  DIFFER: {}\n    {}\n", c.count, what,
		    c.example);
}
