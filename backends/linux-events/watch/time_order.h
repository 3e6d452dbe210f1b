// Sorts records of all CPUs by time, across the readings of their buffers.
//
// The buffers are read one after another while programs go on.  A process that
// moves from a CPU whose buffer was read to one whose turn is still to come
// leaves a later record in this reading, and an earlier one for the next.  So
// what came after the reading began waits for the next one.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace stack9::events {

// record: has `when`, in nanoseconds.
template <typename record>
class time_order {
public:
	// Throws bad_alloc, and then has not kept it.
	void add(record &&r) { waiting_.push_back(std::move(r)); }

	// Calls f with each record until that time, the oldest first; of one
	// time in their order.  f throws nothing.  The others wait.
	template <typename function>
	void take_until(std::uint64_t when, function f)
	{
		std::stable_sort(waiting_.begin(), waiting_.end(),
		    [](const record &a, const record &b) {
			return a.when < b.when;
		    });
		const auto later = std::find_if(waiting_.begin(),
		    waiting_.end(), [=](const record &r) {
			return r.when > when;
		    });
		std::for_each(waiting_.begin(), later, f);
		waiting_.erase(waiting_.begin(), later);
	}

private:
	std::vector<record>	waiting_;
};

} // namespace stack9::events
