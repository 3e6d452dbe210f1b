// Records tick by tick, and says what it cost.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "capture.h"
#include "cost.h"
#include "kernel.h"
#include "targets.h"
#include "tools/lib/clock.h"
#include "tools/lib/exits.h"
#include "tools/lib/interruption.h"
#include "tools/lib/text.h"
#include "tools/record/writer.h"

namespace stackrecord {
namespace {

constexpr std::uint64_t second = 1'000'000'000;

// A disk that is full is tried again so often.
constexpr std::uint64_t pause_ns = 5 * second;

std::uint64_t
monotonic_ns()
{
	return stackprint::clock_ns(CLOCK_MONOTONIC);
}

template <typename... T>
void
say(fmt::format_string<T...> text, T &&...args)
{
	std::fputs(("stackrecord: " + fmt::format(text,
	    std::forward<T>(args)...) + "\n").c_str(), stderr);
}

class recorder {
public:
	explicit recorder(const options &);

	int	open();
	int	go_on();
	void	close();

private:
	bool	find();
	int	tick(std::uint64_t now);
	void	store(const recording::tick &, std::uint64_t now);
	bool	wait(std::uint64_t &next);
	void	show(std::uint64_t now);
	std::string	price() const;

	const options		&opt_;
	targets			 targets_;
	capture			 capture_;
	recording::ring		 ring_;
	recording::writer	 writer_;
	const cost		 cost_;
	const std::uint64_t	 period_, began_;
	const bool		 has_line_;
	std::uint64_t		 ticks_ = 0, threads_ = 0, last_cost_ = 0;
	std::uint64_t		 missed_ = 0, missed_before_ = 0;
	std::uint64_t		 retry_ = 0, shown_ = 0;
	int			 store_error_ = 0, interrupted_ = -1;
};

recorder::recorder(const options &o)
    : opt_(o), targets_(o), capture_(o, targets_),
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
		say("{}: {}", stackprint::printable(opt_.dir), error == EBUSY ?
		    "another stackrecord records into it" :
		    std::strerror(error));
		return stackprint::exit_output;
	}
	// A file that is too large is an error like any other.
	std::signal(SIGXFSZ, SIG_IGN);
	interrupted_ = stackprint::catch_interruption();
	return 0;
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
			    stackprint::printable(opt_.dir),
			    missed_ - missed_before_);
		store_error_ = 0;
		missed_before_ = missed_;
		return;
	}
	if (error != store_error_)
		say("{}: {}; it is tried again each 5 seconds",
		    stackprint::printable(opt_.dir), std::strerror(error));
	store_error_ = error;
	retry_ = now + pause_ns;
	missed_++;
}

int
recorder::tick(std::uint64_t now)
{
	recording::tick t;
	read_clocks(t.boot_ns, t.wall_minus_boot);
	if (now < retry_) {
		missed_++;
		return 0;
	}
	const bool restart = !writer_.goes_on(t.boot_ns) ||
	    capture_.all().is_full();
	if (restart) {
		recording::segment_info info;
		describe_machine(info);
		info.boot_ns = t.boot_ns;
		info.period_ns = period_;
		info.sides = static_cast<std::uint32_t>(opt_.sides());
		info.filter = opt_.text();
		info.missed = static_cast<std::uint32_t>(
		    missed_ - missed_before_);
		writer_.begin(info);
	}
	const std::uint64_t spent = cost_.ns();
	t.cost_ns = spent - last_cost_;
	last_cost_ = spent;
	if (const int error = capture_.take(t, restart); error != 0) {
		writer_.end();	// the numbers of this tick are nowhere
		return error;
	}
	ticks_++;
	threads_ += capture_.all().size();
	store(t, now);
	return 0;
}

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
	const std::uint64_t left = next - now;
	const timespec t{static_cast<time_t>(left / second),
	    static_cast<long>(left % second)};
	pollfd p{interrupted_, POLLIN, 0};
	ppoll(&p, 1, &t, nullptr);
	return stackprint::interruption() == 0 && (opt_.duration == 0 ||
	    static_cast<double>(next - began_) < opt_.duration * 1e9);
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
	    stackprint::amount(capture_.all().size(), "thread"), price(),
	    writer_.bytes() >> 10).c_str(), stderr);
}

int
recorder::go_on()
{
	std::uint64_t next = monotonic_ns();
	do {
		if (!find())
			return ticks_ == 0 ? stackprint::exit_none :
			    stackprint::exit_complete;
		const std::uint64_t now = monotonic_ns();
		const int error = tick(now);
		if (error == ESRCH && !opt_.pids.empty())
			return ticks_ == 0 ? stackprint::exit_none :
			    stackprint::exit_complete;
		if (error != 0 && error != ESRCH) {
			say("{}", error == ENOMEM ? std::strerror(error) :
			    stack9_reason());
			return stackprint::exit_none;
		}
		show(now);
	} while (wait(next));
	return store_error_ != 0 ? stackprint::exit_output :
	    stackprint::exit_complete;
}

void
recorder::close()
{
	writer_.end();
	if (has_line_)
		std::fputs("\r\033[K", stderr);
	if (opt_.quiet || ticks_ == 0)
		return;
	say("{} of {} threads in {:.1f} s, {} missed: {}, {} KiB in {}",
	    stackprint::amount(ticks_, "tick"), threads_ / ticks_,
	    static_cast<double>(monotonic_ns() - began_) / 1e9, missed_,
	    price(), writer_.bytes() >> 10,
	    stackprint::amount(writer_.segments(), "segment"));
}

} // namespace

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
