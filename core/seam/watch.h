// Defines a watch of events and their stacks, which a route of job::events
// makes.  Backends implement it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <stack9_watch.h>

// Opaque to callers.  The functions return as the public calls of their names
// do, and may throw std::bad_alloc.
struct stack9_watcher {
	virtual ~stack9_watcher() = default;

	virtual int fd() const noexcept = 0;
	virtual int read(int timeout_ms) = 0;
	virtual int counts() = 0;
	virtual int stop() = 0;
	virtual int counted(stack9_watch_tally &) = 0;
	virtual int each_event(stack9_event_fn *, void *arg) const = 0;
};

namespace stack9 {

// The request of a caller of stack9_watch().
struct watch_request {
	std::string		event;
	stack9_filter		filter;
	stack9_sink		sink;
};

} // namespace stack9
