// Limits the CPU time that the debug information of one file may take, and the
// number of its ranges of addresses.  libdw has no limits of its own, and debug
// information can refer to the same thing again and again.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstdint>

#include "budgets/budgets.h"
#include "os/linux/clocks.h"

namespace stack9 {

class debug_work {
public:
	debug_work() noexcept = default;
	// bytes: of the debug information.
	explicit debug_work(std::uint64_t bytes) noexcept
	    : left_(budgets::of(budgets::debug_ns +
		bytes * budgets::debug_ns_a_byte)),
	      ranges_(budgets::of(64 + bytes / budgets::bytes_of_range))
	{
	}

	// Adds what a further file allows.
	void
	add(std::uint64_t bytes) noexcept
	{
		const debug_work more(bytes);
		left_ += std::min(more.left_, UINT64_MAX - left_);
		ranges_ += std::min(more.ranges_, UINT64_MAX - ranges_);
	}

	// Called before and after a lookup.
	void
	begin() noexcept
	{
		began_ = thread_ns();
	}
	void
	end() noexcept
	{
		const std::uint64_t took = thread_ns() - began_;
		if (took > budgets::debug_quick_ns)
			left_ -= std::min(left_,
			    took - budgets::debug_quick_ns);
	}
	bool is_over() const noexcept { return left_ == 0; }

	// Called for each step of a lookup.  False: the time is over.  The CPU
	// clock takes a system call, so it is read only if another clock has
	// ticked, which takes some milliseconds.
	bool
	goes_on() noexcept
	{
		const std::int64_t now = clock_ns(CLOCK_MONOTONIC_COARSE);
		if (now != tick_ && thread_ns() - began_ > left_)
			left_ = 0;
		tick_ = now;
		return left_ != 0;
	}
	// Called for each range that is kept.  False: there are too many.
	bool
	takes_range() noexcept
	{
		return ranges_ != 0 && ranges_-- != 0;
	}

private:
	static std::uint64_t
	thread_ns() noexcept
	{
		return static_cast<std::uint64_t>(
		    clock_ns(CLOCK_THREAD_CPUTIME_ID));
	}

	std::uint64_t	left_ = 0, ranges_ = 0, began_ = 0;
	std::int64_t	tick_ = 0;
};

} // namespace stack9
