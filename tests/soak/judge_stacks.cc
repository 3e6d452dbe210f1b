// Compares stacks, and circles of waits, with what was noted.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "deep.h"
#include "judge.h"

namespace soak {
namespace {

struct depths {
	std::uint32_t	least = 0, most = 0;
	bool		spoiled = false;
};

// How many frames of deep() the thread may have had in the span.  forgotten: it
// is not known any more.
truth
depths_of(const actor &a, span s, depths &d)
{
	return newest(a.visits, [&](std::uint32_t, const visit &v) ->
	    std::optional<truth> {
		const std::uint32_t frames = v.frames;
		const bool spoiled = v.spoiled;
		const std::uint64_t inner = v.inner.load(),
		    leave = v.leave.load(), end = v.end.load();
		if (end != 0 && end < s.begin)
			return std::nullopt;
		if (v.begin > s.end)
			return truth::no;
		d.most = std::max(d.most, frames);
		d.spoiled = d.spoiled || spoiled;
		if (inner == 0 || inner > s.begin || (leave != 0 &&
		    leave < s.end))
			return truth::no;
		d.least = frames;
		return truth::yes;
	});
}

} // namespace

void
judge::of_stack(const reported_stack &told, span s)
{
	const int who = known_.actor_of(told.tid);
	t_.count("stacks");
	if (who < 0 || told.pcs.empty())
		return;
	const actor &a = l_.actors[who];
	const auto in_deep = static_cast<std::uint32_t>(std::count_if(
	    told.pcs.begin(), told.pcs.end(), is_deep));
	depths d;
	if (depths_of(a, s, d) == truth::forgotten)
		return t_.count("forgotten, of stacks");
	if (!told.complete) {
		if (d.least != 0)
			t_.count(d.spoiled ? "cut stacks that are spoiled" :
			    "cut stacks of known depth, by way " + way_);
		return;
	}
	t_.count("complete stacks");
	// A spoiled frame is not a frame of deep() any more.
	const std::uint32_t lost = d.spoiled && d.least != 0 ? 1 : 0;
	if (in_deep + lost < d.least || in_deep > d.most)
		fault(fmt::format("the stack of tid {} is complete with {} of "
		    "{} to {} frames{}", told.tid, in_deep, d.least, d.most,
		    d.spoiled ? ", spoiled" : ""), s);
	else if (a.outermost != 0 && told.pcs.back() != a.outermost)
		fault(fmt::format("the stack of tid {} is complete and ends by "
		    "{:#x} in place of {:#x}", told.tid, told.pcs.back(),
		    a.outermost), s);
	if (d.least != 0)
		t_.count(d.spoiled ? "spoiled complete stacks" :
		    "complete stacks of known depth");
}

bool
judge::is_stuck(span s) const
{
	constexpr std::uint64_t on_its_way = 50'000'000;
	const group &g = l_.stuck;
	return g.members > 0 && std::all_of(g.stuck, g.stuck + g.members,
	    [&](const std::atomic<std::uint64_t> &at) {
		return at.load() != 0 && at.load() + on_its_way < s.begin;
	});
}

void
judge::of_circle(std::vector<pid_t> tids, bool deadlock, span s)
{
	const group &g = l_.stuck;
	std::vector<pid_t> noted;
	bool begun = true;
	for (int i = 0; i < g.members; i++) {
		noted.push_back(l_.actors[g.actors[i]].tid.load());
		begun = begun && g.stuck[i].load() != 0 &&
		    g.stuck[i].load() <= s.end;
	}
	std::sort(noted.begin(), noted.end());
	std::sort(tids.begin(), tids.end());
	t_.count(deadlock ? "deadlocks" : "circles");
	if (deadlock && (!begun || g.timed || tids != noted))
		fault(fmt::format("a deadlock of tids {}, it noted {}{}",
		    fmt::join(tids, ","), fmt::join(noted, ","), g.timed ?
		    " with a time" : ""), s);
}

void
judge::of_circles_reported(bool any, span s)
{
	if (!is_stuck(s) || l_.stuck.timed || l_.stuck.by_files)
		return;
	t_.count("stable deadlocks");
	t_.count(any ? "found deadlocks" : "missed deadlocks");
	if (!any)
		t_.note(fmt::format("{}: a deadlock of {} threads", way_,
		    l_.stuck.members));
}

} // namespace soak
