// Watches an event as long as this is here.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core_calls.h"
#include "async.h"

struct watched {
	explicit watched(const stack9::async_event &event)
	{
		BOOST_REQUIRE_EQUAL(core::submit_on(&event, &watcher), 0);
		BOOST_REQUIRE(watcher != nullptr);
	}
	watched(const watched &) = delete;
	~watched() { end(); }

	void
	end()
	{
		core::submit_off(watcher);
		watcher = nullptr;
	}

	stack9::submitter	*watcher = nullptr;
};

inline const char switches[] = "rawtracepoint:sched_switch";
inline const char exits[] = "rawtracepoint:sched_process_exit";
inline const char samples[] = "profile:hz:99";
