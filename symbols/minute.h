// Bounds how much of a kind is read in a minute.  There is no lock, because a
// child of fork(2) could find it held.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "budgets/budgets.h"
#include "os/linux/clocks.h"

namespace stack9 {

class minute {
public:
	explicit constexpr minute(std::uint64_t budget) noexcept
	    : budget_(budget) {}

	// False: so much more is beyond the budget of this minute.
	bool
	take(std::uint64_t size) noexcept
	{
		constexpr std::int64_t length = 60'000'000'000;
		const std::int64_t now = monotonic_ns();
		std::int64_t began = began_;
		if ((began == 0 || now - began > length) &&
		    began_.compare_exchange_strong(began, now))
			taken_ = 0;
		return !budgets::exceeds(taken_ += size, budget_);
	}

private:
	const std::uint64_t		budget_;
	std::atomic<std::int64_t>	began_{0};
	std::atomic<std::uint64_t>	taken_{0};
};

} // namespace stack9
