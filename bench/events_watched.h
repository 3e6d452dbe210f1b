// Opens a watch of the library for the benchmarks of events, to be compared
// with others.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include <stack9_watch.h>
#include <sys/types.h>

// A watch of the library's, with what it has cost.
class watched {
public:
	watched(pid_t pid, stack9_side side, unsigned int flags)
	{
		stack9_watch_options o{};
		o.size = sizeof o;
		o.flags = flags;
		o.mode = STACK9_WATCH_COUNT;
		o.side = side;
		o.pid = pid;
		if (stack9_watch_open("syscall:getppid", &o, &watch_) != 0)
			why_ = stack9_reason();
	}
	watched(const watched &) = delete;
	~watched() { stack9_watch_close(watch_); }

	const char *
	why_not() const
	{
		return watch_ == nullptr ? why_.c_str() : nullptr;
	}

	void read() { stack9_watch_read(watch_, 5, nullptr, nullptr); }

	std::uint64_t
	kept()
	{
		stack9_watch_stop(watch_);
		return tally().kept;
	}
	std::uint64_t copied() const { return tally().copied; }

private:
	stack9_tally
	tally() const
	{
		stack9_tally t{};
		t.size = sizeof t;
		stack9_watch_tally(watch_, &t);
		return t;
	}

	stack9_watch	*watch_ = nullptr;
	std::string	 why_;
};
