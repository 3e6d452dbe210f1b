// Ends a walk along a chain of a stranger's memory that leads back to itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace stack9::languages {

// Compares each element with one that is kept, and keeps another one after 1,
// 2, 4, ... elements: a cycle is found before it was gone through three times.
class chain {
public:
	explicit chain(std::uint32_t most) noexcept : left_(most) {}

	// Takes the next element.  False: the chain has ended, is a cycle or
	// has too many.
	bool
	goes_on(std::uint64_t at) noexcept
	{
		if (at == 0)
			return false;
		if (at == kept_ || left_ == 0) {
			is_broken_ = true;
			return false;
		}
		left_--;
		if (++since_ == until_) {
			kept_ = at;
			since_ = 0;
			until_ *= 2;
		}
		return true;
	}
	// True if it stopped at something other than its end.
	bool is_broken() const noexcept { return is_broken_; }

private:
	std::uint64_t	kept_ = 0;
	std::uint32_t	left_, since_ = 0, until_ = 1;
	bool		is_broken_ = false;
};

} // namespace stack9::languages
