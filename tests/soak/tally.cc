// Counts what was reported, and keeps the first of what was false.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "judge.h"

#include <fmt/format.h>

namespace soak {

long
tally::of(const std::string &what) const
{
	const auto it = counts_.find(what);
	return it == counts_.end() ? 0 : it->second;
}

void
tally::fault(const std::string &what)
{
	constexpr std::size_t most = 40;
	if (++faults_ <= static_cast<long>(most))
		first_.push_back(what);
}

void
tally::note(const std::string &missed)
{
	constexpr std::size_t most = 20;
	if (missed_.size() < most)
		missed_.push_back(missed);
}

std::string
tally::text() const
{
	std::string s;
	for (const auto &[what, n] : counts_)
		s += fmt::format("  {} {}\n", n, what);
	for (const std::string &m : missed_)
		s += "  missed: " + m + "\n";
	for (const std::string &f : first_)
		s += "  false: " + f + "\n";
	return s;
}

} // namespace soak
