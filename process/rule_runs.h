// Collects the rules of a stretch of code, as runs of addresses with the same
// rule.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "core/seam/space.h"
#include "unwind/rule.h"

namespace stack9::process {

class rule_runs {
public:
	// Distances are from the address `base`.  Throws std::bad_alloc.
	rule_runs(std::uint64_t base, std::vector<rule_run> &to) noexcept
	    : base_(base), to_(to) {}

	// From this address on the rule is another; no address before the last
	// one may follow.
	void
	put(std::uint64_t from, std::uint32_t rule)
	{
		const auto distance = static_cast<std::uint32_t>(from - base_);
		if (!to_.empty() && to_.back().from == distance)
			to_.pop_back();
		if (to_.empty() || to_.back().rule != rule)
			to_.push_back({distance, rule});
	}
	// The rule of an expression that is not known to mean the same for
	// each pc is left out.
	void
	put(std::uint64_t from, unwind::rule r)
	{
		using unwind::kind;
		const bool varies = r.kind() == kind::full &&
		    r.cause() == unwind::cause::cfa_expression;
		put(from, varies ? 0 : r.bits());
	}

private:
	const std::uint64_t	 base_;
	std::vector<rule_run>	&to_;
};

} // namespace stack9::process
