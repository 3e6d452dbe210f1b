// Counts how long threads are off their CPU, and captures each of them while it
// sleeps.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/seam/written.h"

#include "backends/linux-events/watch/ledger.h"
#include "backends/linux-events/watch/processes.h"
#include "sampled_threads.h"

namespace stack9::events {

class sleepers {
public:
	sleepers(const loader &from, processes &whose, written_table &table,
	    ledger &to)
	    : from_(from), processes_(whose), table_(table), to_(to) {}

	// A thread has left its CPU, or is on it again, in the order of time.
	// 0; or what the caller's function returned.
	int leaves(const s9_event_head &, const s9_space &);
	int comes_back(std::int32_t tid, std::uint64_t when_ns);
	// Captures those that have left and were not captured yet.
	void capture();
	// The watch ends: they count until now.
	int end(std::uint64_t now_ns);

	std::uint64_t events() const noexcept { return events_; }
	std::uint64_t captured() const noexcept { return captured_; }

private:
	struct sleep {
		s9_event_head	head{};
		s9_stacks	stacks{};
		std::string	identity;	// "": none was taken
		std::uint64_t	taken_ns = 0;
		bool		is_new = true;
	};

	bool	capture(sleep &);
	int	add(sleep &, std::uint64_t when_ns);
	void	identify(const sleep &, const stack_record &);

	const loader	&from_;
	processes	&processes_;
	written_table	&table_;
	ledger		&to_;
	std::unordered_map<std::int32_t, sleep> asleep_;	// by tid
	std::vector<std::int32_t> fresh_;
	std::vector<std::uintptr_t> pcs_;
	written_stack	written_;
	woven_frames	woven_;
	identity	identity_;
	std::uint64_t	events_ = 0, captured_ = 0;
};

} // namespace stack9::events
