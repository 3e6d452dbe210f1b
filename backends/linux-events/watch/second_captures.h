// Captures threads once more after their events, in order to compare the
// functions of languages that the programs have found with those that the
// exact way finds.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/seam/record.h"
#include "core/seam/written.h"

#include "backends/linux-events/programs/event_record.h"
#include "backends/linux-events/programs/loader.h"
#include "written_table.h"

namespace stack9::events {

class second_captures {
public:
	explicit second_captures(written_table &table) : table_(table) {}

	// Begins if STACK9_WALK asks for it, and if a thread that has run has
	// another event before it can be where it was.
	void begin(const loader &);
	// An event has come, in the order of a thread's events.  Throws
	// std::bad_alloc, as all do.
	void meet(const s9_event_head &);
	// Captures the thread of an event, if it sleeps where it was.
	void take(const s9_event_head &, const stack_record &user,
	    const woven_frames &);
	// ended: no further event comes.
	void tally(watch_totals &, bool ended);

private:
	struct thread {
		std::uint64_t	event_ns = 0;	// its last one
		std::uint64_t	until_ns = 0;	// it slept; 0: it did not
		bool		differs = false;
	};

	bool	sleeps_there(const s9_event_head &, const stack_record &);
	bool	is_same(const woven_frames &) const;
	void	count(const thread &) noexcept;

	written_table	&table_;
	bool		wanted_ = false;
	std::unordered_map<std::int32_t, thread> threads_;	// by host_tid
	std::vector<std::uintptr_t> pcs_;
	written_stack	now_;
	woven_frames	woven_;		// the same, with numbers
	std::uint64_t	compared_ = 0, differing_ = 0;
};

} // namespace stack9::events
