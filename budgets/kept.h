// Adds up the memory that is kept of all files.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "budgets.h"

namespace stack9::budgets {

inline constinit std::atomic<std::uint64_t> kept_now{0};

// A share of the memory that all files may take, given back at the end of its
// life.
class share {
public:
	share() noexcept = default;
	share(share &&from) noexcept : size_(std::exchange(from.size_, 0)) {}
	share &
	operator=(share &&from) noexcept
	{
		std::swap(size_, from.size_);
		return *this;
	}
	~share() { kept_now.fetch_sub(size_, std::memory_order_relaxed); }

	// False, with nothing changed: there is not so much left.
	bool
	take(std::uint64_t size) noexcept
	{
		const std::uint64_t before =
		    kept_now.fetch_add(size, std::memory_order_relaxed);
		if (size > UINT64_MAX / 4 || exceeds(before + size, kept)) {
			kept_now.fetch_sub(size, std::memory_order_relaxed);
			return false;
		}
		size_ += size;
		return true;
	}
	std::uint64_t size() const noexcept { return size_; }

private:
	std::uint64_t	size_ = 0;
};

} // namespace stack9::budgets
