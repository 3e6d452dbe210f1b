// Remembers which threads have been delivered, for a pass that is made a second
// time because the first one has not shown all.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <new>
#include <vector>

#include <sys/types.h>

namespace stack9 {

class delivered_threads {
public:
	// False: an earlier pass has delivered the thread.
	bool
	add(pid_t tid) noexcept
	{
		if (std::binary_search(before_.begin(), before_.end(), tid))
			return false;
		try {
			now_.push_back(tid);
		} catch (const std::bad_alloc &) {
			lost_ = true;
		}
		return true;
	}

	// Begins the next pass.  False: it is not known which threads were
	// delivered, as there was no memory.
	bool
	begin_next() noexcept
	{
		try {
			before_.insert(before_.end(), now_.begin(),
			    now_.end());
		} catch (const std::bad_alloc &) {
			lost_ = true;
		}
		now_.clear();
		std::sort(before_.begin(), before_.end());
		return !lost_;
	}

	bool
	are_none() const noexcept
	{
		return before_.empty() && now_.empty() && !lost_;
	}

private:
	std::vector<pid_t>	before_;	// sorted
	std::vector<pid_t>	now_;
	bool			lost_ = false;
};

} // namespace stack9
