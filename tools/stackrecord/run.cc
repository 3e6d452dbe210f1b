// Waits for each tick.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "recorder.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <vector>

#include <poll.h>

#include "say.h"
#include "tools/lib/command_line.h"
#include "tools/lib/interruption.h"

namespace stackrecord {

// Ticks that come too late for their time are left out, for their threads would
// count double.
bool
recorder::wait(std::uint64_t &next)
{
	next += period_;
	const std::uint64_t now = monotonic_ns();
	if (now >= next) {
		const std::uint64_t late = (now - next) / period_ + 1;
		storage_.miss(late);
		next += late * period_;
	}
	return wait_until(next) && (opt_.duration == 0 ||
	    static_cast<double>(next - progress_.began()) <
	    opt_.duration * 1e9);
}

// Returns false after a signal.
bool
recorder::wait_until(std::uint64_t next)
{
	for (;;) {
		std::vector<pollfd> fds = {{interrupted_, POLLIN, 0}};
		events_.poll_for(fds);
		const std::uint64_t now = monotonic_ns();
		if (tools::interruption() != 0)
			return false;
		if (now >= next)
			return true;
		const std::uint64_t left = next - now;
		const timespec t{static_cast<time_t>(left / second),
		    static_cast<long>(left % second)};
		if (ppoll(fds.data(), fds.size(), &t, nullptr) > 0)
			events_.read(tick_);
	}
}

// Events since the last tick are stored with a tick of their own.
int
recorder::finish(int status)
{
	if (!opt_.events.empty() && progress_.ticks() != 0) {
		events_.stop();
		tick(monotonic_ns());
	}
	return storage_.has_failed() ? int{tools::exit_output} : status;
}

int
recorder::status_of_end() const
{
	return progress_.ticks() == 0 ? tools::exit_none :
	    tools::exit_complete;
}

int
recorder::go_on()
{
	std::uint64_t next = monotonic_ns();
	if (!watch())
		return tools::exit_none;
	do {
		if (!find())
			return finish(status_of_end());
		const std::uint64_t now = monotonic_ns();
		const int error = tick(now);
		if (error == ESRCH && !opt_.pids.empty())
			return status_of_end();
		if (error != 0 && error != ESRCH) {
			say("{}", error == ENOMEM ? std::strerror(error) :
			    stack9_reason());
			return tools::exit_none;
		}
		progress_.report_missing(now, capture_);
		progress_.show(now, capture_, storage_);
	} while (wait(next));
	return finish(tools::exit_complete);
}

void
recorder::close()
{
	storage_.end();
	progress_.sum_up(capture_, events_, storage_);
}

int
run(const options &o)
{
	recorder r(o);
	if (const int status = r.open(); status != 0)
		return status;
	const int status = r.go_on();
	r.close();
	return status;
}

} // namespace stackrecord
