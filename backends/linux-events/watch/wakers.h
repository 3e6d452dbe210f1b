// Keeps who has woken blocked threads until these go on, and joins the stacks
// of both.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "backends/linux-events/programs/event_record.h"
#include "local_counts.h"

namespace stack9::events {

enum class waker_kind : std::uint64_t {
	none,		// nobody was seen
	thread,
	interrupt,	// over a thread that has nothing to do with it
	unknown		// its kernel stack does not show which
};

// The waker of one event.  When events are counted, only the kind is set.
struct waker_name {
	waker_kind	kind = waker_kind::none;
	std::uint64_t	start_ns = 0;
	std::int32_t	tid = 0, pid = 0;
	char		comm[16] = "";
};

class wakers {
public:
	// named: each waker is given with its thread, not only with its
	// process.
	void
	begin(bool named)
	{
		named_ = named;
	}

	// Keeps the waker whose record has this head, until its thread goes on.
	void	keep(const s9_event_head &, const std::string &stacks);

	// Joins an event's stacks with those of its waker.  The result is lent
	// until the next call.
	const std::string &join(const s9_event_head &,
	    const std::string &stacks);

	// The bytes of all stacks that are kept.
	std::size_t bytes() const noexcept { return bytes_; }

private:
	struct waker {
		std::uint64_t	since_ns;	// when the thread blocked
		waker_name	name;
		std::string	stacks;
	};

	std::unordered_map<std::int32_t, waker> of_;	// by the tid of the
							// woken thread
	std::size_t	bytes_ = 0;
	std::string	joined_;
	identity	cut_;
	bool		named_ = false;
};

// Shows the parts of joined stacks again.
struct joined_view {
	explicit joined_view(std::string_view) noexcept;

	waker_name	 name;
	std::string_view stacks;	// of the event
	std::string_view waker;		// ""; name.kind is none
};

} // namespace stack9::events
