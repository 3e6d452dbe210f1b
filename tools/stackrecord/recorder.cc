// Begins segments and takes ticks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "recorder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "kernel.h"
#include "say.h"
#include "tools/lib/command_line.h"
#include "tools/lib/interruption.h"
#include "tools/lib/text.h"

namespace stackrecord {
namespace {

// A clock that was set: no drift of NTP's is that fast.
constexpr std::int64_t step_ns = second / 10;

} // namespace

recorder::recorder(const options &o)
    : opt_(o), targets_(o), capture_(o, targets_), events_(o, capture_),
      storage_(o), progress_(o.quiet),
      period_(static_cast<std::uint64_t>(second / o.hz))
{
}

int
recorder::open()
{
	if (!storage_.open())
		return tools::exit_output;
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
	if (!opt_.pids.empty() || progress_.ticks() == 0) {
		say("{}", why.empty() ? std::strerror(error) : why);
		return false;
	}
	return true;
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
	if (storage_.is_paused(now)) {
		storage_.miss(1);
		expect(true);
		return 0;
	}
	if (restart_) {
		recording::segment_info info;
		describe(info);
		storage_.begin(info);
	}
	tick_.cost_ns = progress_.take_cost();
	int error = events_.read(tick_);
	events_.count_lost(tick_);
	if (error == 0)
		error = capture_.take();
	// Events came before the last thread ended.
	const bool ended = error == ESRCH && (!tick_.counts.empty() ||
	    tick_.lost != 0);
	if (ended) {
		capture_.end();
	} else if (error != 0) {
		storage_.end();	// the numbers of this tick are nowhere
		expect(true);
		return error;
	}
	progress_.count(capture_.all().size());
	storage_.put(tick_, now);
	const bool is_set = std::abs(tick_.wall_minus_boot -
	    wall_minus_boot_) > step_ns;
	wall_minus_boot_ = tick_.wall_minus_boot;
	expect((is_set && !restart_) || capture_.all().is_full() ||
	    !storage_.goes_on(tick_.boot_ns + period_));
	return ended ? ESRCH : 0;
}

} // namespace stackrecord
