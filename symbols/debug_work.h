// Limits the CPU time that the debug information of one file may take, and the
// number of its ranges of addresses.  libdw has no limits of its own, and debug
// information can refer to the same thing again and again.  A part of the time
// is for the file's bytes; the other is shared by all files.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstdint>

#include "budgets/budgets.h"
#include "budgets/minute.h"
#include "os/clocks.h"

namespace stack9 {

inline constinit budgets::minute debug_ns_of_minute(budgets::debug_ns_a_minute);

class debug_work {
public:
	debug_work() noexcept = default;
	// bytes: of the debug information.
	explicit debug_work(std::uint64_t bytes) noexcept
	    : left_(budgets::of(budgets::debug_ns +
		bytes * budgets::debug_ns_a_byte)),
	      shared_(budgets::of(budgets::debug_ns)),
	      ranges_(budgets::of(64 + bytes / budgets::bytes_of_range))
	{
	}

	// Adds what a further file allows.
	void
	add(std::uint64_t bytes) noexcept
	{
		const debug_work more(bytes);
		left_ += std::min(more.left_, UINT64_MAX - left_);
		shared_ += std::min(more.shared_, UINT64_MAX - shared_);
		ranges_ += std::min(more.ranges_, UINT64_MAX - ranges_);
	}

	// Called once, with the size that the file has on its disk.
	void
	has_on_disk(std::uint64_t bytes) noexcept
	{
		lines_ = budgets::of(budgets::line_programs +
		    bytes / budgets::line_share);
	}

	// Called before and after a lookup.
	void
	begin() noexcept
	{
		began_ = monotonic_ns();
		tick_ = clock_ns(CLOCK_MONOTONIC_COARSE);
		cpu_ = 0;
		if (shared_ != 0 && debug_ns_of_minute.is_over(began_)) {
			left_ -= shared_;
			shared_ = 0;
		}
	}
	void
	end() noexcept
	{
		const std::uint64_t took = spent();
		if (took > budgets::debug_quick_ns)
			left_ -= std::min(left_,
			    took - budgets::debug_quick_ns);
		if (left_ < shared_) {
			debug_ns_of_minute.take(began_, shared_ - left_);
			shared_ = left_;
		}
	}
	bool is_over() const noexcept { return left_ == 0; }

	// Called for each step of a lookup.  False: the time is over.
	bool
	goes_on() noexcept
	{
		if (++steps_ % 16 != 0)
			return left_ != 0;
		const std::int64_t now = clock_ns(CLOCK_MONOTONIC_COARSE);
		if (now == tick_)
			return left_ != 0;
		if (cpu_ == 0) {
			before_ = spent();
			cpu_ = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		}
		tick_ = now;
		if (spent() > left_)
			left_ = 0;
		return left_ != 0;
	}
	// Called for each range that is kept.  False: there are too many.
	bool
	takes_range() noexcept
	{
		return ranges_ != 0 && ranges_-- != 0;
	}

	// Called for each line program that is read.  False: it is too long.
	bool
	takes_lines(std::uint64_t bytes) noexcept
	{
		if (bytes > lines_)
			return false;
		lines_ -= bytes;
		return true;
	}

private:
	// The CPU clock takes a system call.  So it is read only when the
	// coarse clock has ticked.  A tick takes some milliseconds; the time
	// before it is taken for CPU time, up to a tick or so.
	std::uint64_t
	spent() const noexcept
	{
		constexpr std::int64_t tick_max = 10'000'000;
		if (cpu_ != 0)
			return before_ + static_cast<std::uint64_t>(
			    clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_);
		return static_cast<std::uint64_t>(
		    std::min(monotonic_ns() - began_, tick_max));
	}

	std::uint64_t	left_ = 0,	// with shared_, used last
			shared_ = 0, ranges_ = 0, before_ = 0, lines_ = 0;
	std::int64_t	began_ = 0, tick_ = 0, cpu_ = 0;
	unsigned int	steps_ = 0;
};

} // namespace stack9
