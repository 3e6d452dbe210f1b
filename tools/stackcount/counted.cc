// Adds, subtracts and sorts counts.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "counted.h"

#include <algorithm>
#include <charconv>
#include <ctime>

#include <sys/utsname.h>

#include <fmt/format.h>

#include "tools/lib/clock.h"
#include "tools/profiles/formats.h"
#include "wakers.h"

namespace stackcount {
namespace {

constexpr std::uint64_t second = 1000000000;

// Programs get all that is known; people get the precision that they read.
events::precision
precision_of(const events::options &o)
{
	if (o.addresses)
		return events::precision::addresses;
	return o.offsets || profiles::has_places(o.format) ?
	    events::precision::offsets : events::precision::functions;
}

struct clock_name {
	std::string_view	begin;
	std::uint64_t		unit_ns;	// 0: times a second
};

constexpr clock_name clocks[] = {
	{"cpu-clock:", 0}, {"task-clock:", 0}, {"profile:hz:", 0},
	{"profile:us:", 1000}, {"profile:ms:", 1000000}, {"profile:s:", second},
};

} // namespace

std::uint64_t
wall_clock_ns()
{
	return tools::clock_ns(CLOCK_REALTIME);
}

std::uint64_t
period_ns(std::string_view event)
{
	for (const clock_name &c : clocks) {
		if (event.substr(0, c.begin.size()) != c.begin)
			continue;
		std::uint64_t n = 0;
		std::from_chars(event.data() + c.begin.size(),
		    event.data() + event.size(), n);
		return n == 0 ? 0 : c.unit_ns != 0 ? n * c.unit_ns : second / n;
	}
	return 0;
}

counted::counted(const events::options &o)
    : opt_(o), names_processes_(profiles::is_graph(o.format)),
      frames_(o, precision_of(o), profile_.frames)
{
	utsname machine;
	if (uname(&machine) == 0)
		profile_.host = machine.nodename;
	profile_.event = o.event;
	profile_.command = o.line;
	profile_.filter = o.filter();
}

// With -P each process is a frame of its own.  Without it, in a flame graph,
// all processes of one name are one.
void
counted::add_process(const std::string &name, pid_t pid,
    events::frames::list &frames, key &k)
{
	std::string comm(name);
	if (comm.empty() && !opt_.by_process)
		comm = "[unknown process]";
	const bool with_pid = opt_.by_process && (pid != 0 ||
	    !opt_.wakers.has_value());
	frames.push_back(frames_.marker(profiles::frame_kind::process,
	    with_pid ? fmt::format("{} [{}]", comm, pid) : comm));
	if (opt_.by_process)
		std::get<1>(k) = pid;
	std::get<2>(k) = std::move(comm);
}

void
counted::began(const std::string &label)
{
	profile_.period_ns = period_ns(label);
	profile_.unit = opt_.is_offcpu() ? "microseconds" :
	    profile_.period_ns != 0 ? "samples" : "events";
	profile_.began_ns = wall_clock_ns();
}

void
counted::begin()
{
	now_.clear();
}

void
counted::add(const stack9_sample &sample)
{
	events::frames::list frames;
	key k{{}, 0, ""};
	if (opt_.wakers.has_value()) {
		const outermost who = add_with_waker(sample, opt_, frames_,
		    frames);
		add_process(who.name, who.pid, frames, k);
	} else {
		frames_.add(sample, frames);
		if (opt_.by_process || names_processes_)
			add_process(sample.comm, sample.thread.pid, frames, k);
	}
	std::get<0>(k).assign(frames.rbegin(), frames.rend());
	count &sum = now_[std::move(k)];
	sum.events += sample.events;
	sum.weight_ns += sample.weight_ns;
}

void
counted::emit(const key &k, const count &c)
{
	if (c.events == 0)
		return;
	profiles::stack s;
	s.frames = std::get<0>(k);
	s.pid = std::get<1>(k);
	s.comm = std::get<2>(k);
	s.events = c.events;
	s.weight = opt_.is_offcpu() ? (c.weight_ns + 500) / 1000 : c.events;
	profile_.stacks.push_back(std::move(s));
}

const profiles::profile &
counted::end(bool only_new, std::uint64_t took_ns)
{
	profile_.took_ns = took_ns;
	profile_.stacks.clear();
	for (const auto &[k, c] : now_) {
		const auto old = only_new ? before_.find(k) : before_.end();
		const count was = old == before_.end() ? count{} : old->second;
		emit(k, {c.events - was.events, c.weight_ns - was.weight_ns});
	}
	before_ = std::move(now_);
	auto &all = profile_.stacks;
	std::stable_sort(all.begin(), all.end(),
	    [](const profiles::stack &a, const profiles::stack &b) {
		return std::tie(a.weight, a.events) <
		    std::tie(b.weight, b.events);
	    });
	if (opt_.top != 0 && all.size() > opt_.top)
		all.erase(all.begin(), all.end() -
		    static_cast<std::ptrdiff_t>(opt_.top));
	return profile_;
}

} // namespace stackcount
