// Compares stacks, and circles of waits, with what was noted.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "deep.h"
#include "judge.h"

namespace soak {
namespace {

struct depths {
	std::uint32_t	least = ~0u, most = 0;
	bool		spoiled = false;
};

// How many frames of deep() the thread may have had in the span.
depths
depths_of(const actor &a, span s)
{
	depths d;
	const std::uint32_t n = a.visits.load();
	for (std::uint32_t i = n; i-- > (n < visits_kept - 16 ? 0 :
	    n - visits_kept + 16);) {
		const visit &v = a.visit_log[i % visits_kept];
		const std::uint64_t inner = v.inner.load(),
		    leave = v.leave.load(), end = v.end.load();
		if (end != 0 && end < s.begin)
			break;
		if (v.begin > s.end)
			continue;
		const bool throughout = inner != 0 && inner <= s.begin &&
		    (leave == 0 || leave >= s.end);
		d.most = std::max(d.most, v.frames);
		d.spoiled = d.spoiled || v.spoiled;
		if (throughout) {
			d.least = v.frames;
			return d;
		}
	}
	d.least = 0;
	return d;
}

} // namespace

void
judge::of_stack(const told_stack &told, span s)
{
	const int who = actor_of(told.tid);
	t_.count("stacks");
	if (who < 0 || told.pcs.empty())
		return;
	const actor &a = l_.actors[who];
	const auto in_deep = static_cast<std::uint32_t>(std::count_if(
	    told.pcs.begin(), told.pcs.end(), is_deep));
	const depths d = depths_of(a, s);
	if (!told.complete) {
		if (d.least != 0)
			t_.count(d.spoiled ? "cut stacks that are spoiled" :
			    "cut stacks of known depth, by way " + way_);
		return;
	}
	t_.count("complete stacks");
	// A spoiled frame is no frame of deep() any more.
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
judge::of_circles_told(bool any, span s)
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
