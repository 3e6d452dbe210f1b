// Bounds how much of a kind is read in a minute.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <mutex>

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
		const std::lock_guard hold(lock_);
		const std::int64_t now = monotonic_ns();
		if (began_ == 0 || now - began_ > length) {
			began_ = now;
			taken_ = 0;
		}
		taken_ += size;
		return !budgets::exceeds(taken_, budget_);
	}

private:
	const std::uint64_t budget_;
	std::mutex	lock_;
	std::int64_t	began_ = 0;
	std::uint64_t	taken_ = 0;
};

} // namespace stack9
