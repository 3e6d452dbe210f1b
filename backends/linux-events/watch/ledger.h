// Counts in this process the events whose stacks have their identity, or hands
// them on if the watch is a stream.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "delivery.h"
#include "local_counts.h"
#include "wakers.h"

namespace stack9::events {

class ledger {
public:
	ledger(const watch_sink &sink, const loader &from, delivery &to)
	    : sink_(sink), from_(from), to_(to) {}

	void begin() { wakers_.begin(sink_.what == STACK9_WATCH_STREAM); }

	// 0; or what the caller's function returned.
	int add(const s9_event_head &, const std::string &identity);

	const local_counts &counts() const noexcept { return counts_; }
	// The bytes of all stacks that are kept.
	std::size_t
	bytes() const noexcept
	{
		return counts_.bytes() + wakers_.bytes();
	}

private:
	const watch_sink	&sink_;
	const loader		&from_;
	delivery		&to_;
	wakers			wakers_;
	local_counts		counts_;
};

} // namespace stack9::events
