// Waits for each tick, and says what it cost.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "recorder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <vector>

#include <poll.h>

#include "tools/lib/command_line.h"
#include "tools/lib/interruption.h"
#include "tools/lib/limits.h"
#include "tools/lib/surroundings.h"
#include "tools/lib/text.h"

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
		missed_ += late;
		next += late * period_;
	}
	return wait_until(next) && (opt_.duration == 0 ||
	    static_cast<double>(next - began_) < opt_.duration * 1e9);
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

std::string
recorder::price() const
{
	const double took = static_cast<double>(monotonic_ns() - began_);
	const double spent = static_cast<double>(cost_.ns());
	return fmt::format("{:.2f} % of a CPU, {:.2f} ms a tick",
	    100 * spent / std::max(took, 1.0), spent / 1e6 /
	    static_cast<double>(std::max<std::uint64_t>(ticks_, 1)));
}

void
recorder::show(std::uint64_t now)
{
	if (!has_line_ || now - shown_ < second)
		return;
	shown_ = now;
	std::fputs(fmt::format("\r{} s, {}, {}, {} KiB\033[K",
	    (now - began_) / second,
	    tools::amount(capture_.all().size(), "thread"), price(),
	    writer_.bytes() >> 10).c_str(), stderr);
}

// The same is said once in a minute.
void
recorder::report_missing(std::uint64_t now)
{
	constexpr std::uint64_t minute = 60 * second;
	const std::uint64_t all = capture_.without_user();
	if (all == reported_without_ || (capture_.missing() ==
	    reported_missing_ && now - reported_at_ < minute))
		return;
	say("{} without a user stack: {}", tools::amount(
	    all - reported_without_, "thread"),
	    tools::printable(capture_.missing()));
	reported_missing_ = capture_.missing();
	reported_without_ = all;
	reported_at_ = now;
}

// Events since the last tick are stored with a tick of their own.
int
recorder::finish(int status)
{
	if (!opt_.events.empty() && ticks_ != 0)
		tick(monotonic_ns());
	return store_error_ != 0 ? int{tools::exit_output} : status;
}

int
recorder::go_on()
{
	std::uint64_t next = monotonic_ns();
	if (!watch())
		return tools::exit_none;
	do {
		if (!find())
			return finish(ticks_ == 0 ? tools::exit_none :
			    tools::exit_complete);
		const std::uint64_t now = monotonic_ns();
		const int error = tick(now);
		if (error == ESRCH && !opt_.pids.empty())
			return ticks_ == 0 ? tools::exit_none :
			    tools::exit_complete;
		if (error != 0 && error != ESRCH) {
			say("{}", error == ENOMEM ? std::strerror(error) :
			    stack9_reason());
			return tools::exit_none;
		}
		report_missing(now);
		show(now);
	} while (wait(next));
	return finish(tools::exit_complete);
}

void
recorder::close()
{
	writer_.end();
	if (has_line_)
		std::fputs("\r\033[K", stderr);
	if (capture_.all().names_hidden())
		say("{}", tools::hidden_names());
	if (opt_.quiet || ticks_ == 0)
		return;
	const std::uint64_t without = capture_.without_user();
	const std::uint64_t lacking = events_.lacking();
	say("{} of {} threads in {:.1f} s, {} missed: {}, {} KiB in {}{}{}{}",
	    tools::amount(ticks_, "tick"), threads_ / ticks_,
	    static_cast<double>(monotonic_ns() - began_) / 1e9, missed_,
	    price(), writer_.bytes() >> 10,
	    tools::amount(writer_.segments(), "segment"), without == 0 ?
	    "" : fmt::format("; {} no user stack", without == 1 ?
	    "1 sample of a thread has" : fmt::format("{} samples of threads "
	    "have", without)), lacking == 0 ? "" : fmt::format("; {} lacking "
	    "language frames", tools::amount(lacking, "event")),
	    tools::left_out_text());
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
