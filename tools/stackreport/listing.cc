// Counts the ticks of each segment that are in the interval.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "listing.h"

#include <fmt/format.h>

#include "tools/lib/text.h"
#include "tools/record/records.h"

namespace stackreport {

bool
listing::begin(const recording::segment_info &)
{
	ticks_ = cost_ = lost_ = 0;
	return true;
}

bool
listing::at(const recording::segment &, const recording::tick &t)
{
	const std::int64_t now = recording::wall_ns(t);
	if (!when_.has(now))
		return now <= when_.to;
	if (ticks_++ == 0)
		first_ = now;
	last_ = now;
	cost_ += t.cost_ns;
	lost_ += t.lost;
	return true;
}

void
listing::end(const recording::segment &s, bool complete)
{
	if (ticks_ == 0)
		return;
	const recording::segment_info &i = s.info();
	std::string events;
	for (const recording::event &e : s.events())
		events += ", " + tools::printable(e.name);
	if (lost_ != 0)
		events += fmt::format(" ({} lost)",
		    tools::amount(lost_, "event"));
	text_ += fmt::format("{}  {}  {} of {:.1f} ms, {}, {}{}{}{}{}\n",
	    tools::moment_text(first_), tools::duration_text(
	    static_cast<std::uint64_t>(last_ - first_) + i.period_ns),
	    tools::amount(ticks_, "tick"),
	    static_cast<double>(cost_) / 1e6 / static_cast<double>(ticks_),
	    tools::amount(s.threads().size(), "thread"),
	    tools::amount(s.stacks().size(), "stack"),
	    events, i.host.empty() ? "" : ", of " +
	    tools::printable(i.host),
	    i.missed == 0 ? "" : fmt::format("; {} missed before",
	    tools::amount(i.missed, "tick")),
	    complete ? "" : "; without an end");
}

} // namespace stackreport
