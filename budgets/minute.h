// Bounds how much of a kind is used in a minute, by all files together.  It
// takes no lock, because a child of fork(2) could find it held.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "budgets.h"

namespace stack9::budgets {

class minute {
public:
	explicit constexpr minute(std::uint64_t budget) noexcept
	    : budget_(budget) {}

	// now: nanoseconds of a clock that never goes back.  False: so much
	// more is beyond the budget of this minute.
	bool
	take(std::int64_t now, std::uint64_t size) noexcept
	{
		std::int64_t began = began_;
		if ((began == 0 || has_ended(began, now)) &&
		    began_.compare_exchange_strong(began, now))
			taken_ = 0;
		return !exceeds(taken_ += size, budget_);
	}

	// Returns true if nothing of this minute's budget is left.  Writes
	// nothing.
	bool
	is_over(std::int64_t now) const noexcept
	{
		return !has_ended(began_, now) && exceeds(taken_, budget_);
	}

private:
	static bool
	has_ended(std::int64_t began, std::int64_t now) noexcept
	{
		return now - began > 60'000'000'000;
	}

	const std::uint64_t		budget_;
	std::atomic<std::int64_t>	began_{0};
	std::atomic<std::uint64_t>	taken_{0};
};

} // namespace stack9::budgets
