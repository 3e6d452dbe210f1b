// Begins segments, takes ticks, and stores them as long as there is space.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "recorder.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

#include "kernel.h"
#include "tools/lib/command_line.h"
#include "tools/lib/interruption.h"
#include "tools/lib/text.h"

namespace stackrecord {
namespace {

// A clock that was set: no drift of NTP's is that fast.
constexpr std::int64_t step_ns = second / 10;

// A disk that is full is tried again so often.
constexpr std::uint64_t pause_ns = 5 * second;

} // namespace

recorder::recorder(const options &o)
    : opt_(o), targets_(o), capture_(o, targets_), events_(o, capture_),
      writer_(ring_, {o.max_size, o.max_age_s},
      {recording::segment_limits().bytes, o.segment_s * second}),
      period_(static_cast<std::uint64_t>(second / o.hz)),
      began_(monotonic_ns()), has_line_(!o.quiet && isatty(2))
{
}

int
recorder::open()
{
	const int error = ring_.open(opt_.dir);
	if (error != 0) {
		say("{}: {}", tools::printable(opt_.dir), error == EBUSY ?
		    "another stackrecord records into it" :
		    std::strerror(error));
		return tools::exit_output;
	}
	// A file that is too large is an error like any other.
	std::signal(SIGXFSZ, SIG_IGN);
	interrupted_ = tools::catch_interruption();
	expect(true);
	return 0;
}

bool
recorder::watch()
{
	std::string what;
	const int error = events_.open(what);
	if (error != 0)
		say("{}: {}", tools::printable(what), error == EINVAL ?
		    std::strerror(error) : stack9_reason());
	return error == 0;
}

bool
recorder::find()
{
	std::string why;
	const int error = targets_.find(monotonic_ns(), why);
	if (error == 0)
		return true;
	// Processes of a cgroup, a unit or a container may come again.
	if (!opt_.pids.empty() || ticks_ == 0) {
		say("{}", why.empty() ? std::strerror(error) : why);
		return false;
	}
	return true;
}

void
recorder::store(const recording::tick &t, std::uint64_t now)
{
	const int error = writer_.put(t);
	if (error == 0) {
		if (store_error_ != 0)
			say("{}: recording goes on; {} ticks are missing",
			    tools::printable(opt_.dir),
			    missed_ - missed_before_);
		store_error_ = 0;
		missed_before_ = missed_;
		return;
	}
	if (error != store_error_)
		say("{}: {}; it is tried again each 5 seconds",
		    tools::printable(opt_.dir), std::strerror(error));
	store_error_ = error;
	retry_ = now + pause_ns;
	missed_++;
}

void
recorder::describe(recording::segment_info &info) const
{
	describe_machine(info);
	info.boot_ns = tick_.boot_ns;
	info.wall_minus_boot = tick_.wall_minus_boot;
	info.period_ns = period_;
	info.sides = static_cast<std::uint32_t>(opt_.sides());
	info.filter = opt_.text();
	info.missed = static_cast<std::uint32_t>(missed_ - missed_before_);
}

// Events are numbered as they come, so it is known one tick before that another
// segment begins.
void
recorder::expect(bool restart)
{
	restart_ = restart;
	tick_ = {};
	capture_.expect(tick_, restart);
}

// Within a segment time goes forward: another one begins where a clock was set.
int
recorder::tick(std::uint64_t now)
{
	read_clocks(tick_.boot_ns, tick_.wall_minus_boot);
	if (now < retry_) {
		missed_++;
		expect(true);
		return 0;
	}
	if (restart_) {
		recording::segment_info info;
		describe(info);
		writer_.begin(info);
	}
	const std::uint64_t spent = cost_.ns();
	tick_.cost_ns = spent - last_cost_;
	last_cost_ = spent;
	int error = events_.read(tick_);
	if (error == 0)
		error = capture_.take();
	// Events came before the last thread ended.
	const bool ended = error == ESRCH && !tick_.counts.empty();
	if (ended) {
		capture_.end();
	} else if (error != 0) {
		writer_.end();	// the numbers of this tick are nowhere
		expect(true);
		return error;
	}
	ticks_++;
	threads_ += capture_.all().size();
	store(tick_, now);
	const bool is_set = std::abs(tick_.wall_minus_boot -
	    wall_minus_boot_) > step_ns;
	wall_minus_boot_ = tick_.wall_minus_boot;
	expect((is_set && !restart_) || capture_.all().is_full() ||
	    !writer_.goes_on(tick_.boot_ns + period_));
	return ended ? ESRCH : 0;
}

} // namespace stackrecord
