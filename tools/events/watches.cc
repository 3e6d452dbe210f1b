// Waits for all watches, and reads each.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "watches.h"

#include <algorithm>
#include <cerrno>

#include <poll.h>

namespace events {

int
watches::add(const std::string &event, const stack9_watch_options &w,
    std::string &reason)
{
	stack9_watch *fresh = nullptr;
	const int error = stack9_watch_open(event.c_str(), &w, &fresh);
	if (error == 0)
		all_.push_back({std::unique_ptr<stack9_watch, closer>(fresh)});
	else
		reason = stack9_reason();
	return error;
}

// Returns 0, or EINTR for a signal.
int
watches::wait(int timeout_ms) const
{
	std::vector<pollfd> fds;
	for (const one &o : all_) {
		int fd = -1;
		if (!o.ended && stack9_watch_fd(o.watch.get(), &fd) == 0)
			fds.push_back({fd, POLLIN, 0});
	}
	return !fds.empty() && poll(fds.data(), fds.size(), timeout_ms) < 0 ?
	    errno : 0;
}

// A watch that had nothing at the last read is waited for by its descriptor.
int
watches::read(int timeout_ms, stack9_sample_fn *fn, void *arg)
{
	if (all_.size() == 1)
		return stack9_watch_read(all_[0].watch.get(), timeout_ms, fn,
		    arg);
	if (const int error = wait(timeout_ms); error != 0)
		return error;
	int result = ESRCH;
	for (one &o : all_) {
		if (o.ended)
			continue;
		const int error = stack9_watch_read(o.watch.get(), 0, fn, arg);
		o.ended = error == ESRCH;
		if (error == 0 || (error == EAGAIN && result == ESRCH))
			result = error;
		else if (error != EAGAIN && error != ESRCH)
			return error;
	}
	return result;
}

int
watches::stop()
{
	int result = 0;
	for (one &o : all_) {
		const int error = stack9_watch_stop(o.watch.get());
		// The rest of its events can be read.
		o.ended = false;
		result = result != 0 ? result : error;
	}
	return result;
}

int
watches::each(stack9_sample_fn *fn, void *arg)
{
	for (const one &o : all_)
		if (const int error = stack9_watch_each(o.watch.get(), fn, arg);
		    error != 0)
			return error;
	return 0;
}

int
watches::tally(stack9_tally &sum) const
{
	for (const one &o : all_) {
		stack9_tally t{};
		t.size = sizeof t;
		if (const int error = stack9_watch_tally(o.watch.get(), &t);
		    error != 0)
			return error;
		sum.size = t.size;
		sum.frames = t.frames;
		sum.probes = t.probes;
		sum.flags |= t.flags;
		for (const auto number : {&stack9_tally::events,
		    &stack9_tally::kept, &stack9_tally::spilled,
		    &stack9_tally::no_room, &stack9_tally::nested,
		    &stack9_tally::stacks, &stack9_tally::truncated,
		    &stack9_tally::skipped, &stack9_tally::walked,
		    &stack9_tally::copied, &stack9_tally::refused,
		    &stack9_tally::remembered, &stack9_tally::lacking})
			sum.*number += t.*number;
	}
	return 0;
}

// They are the same of each watch, except where files differ.
void
watches::events(stack9_event_fn *fn, void *arg) const
{
	if (!all_.empty())
		stack9_watch_events(all_[0].watch.get(), fn, arg);
}

} // namespace events
