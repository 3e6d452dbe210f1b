// Times captures of the calling thread's own stack against the peers.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>

#include <fmt/format.h>

#include "benches.h"
#include "own_claims.h"

namespace {

constexpr unsigned processes = 11;
const question fence{"own_worker", "nobody", "fence", 0};

double
result(measure how, double ours, double peer)
{
	switch (how) {
	case measure::faster:
		return peer / ours;
	case measure::slower:
		return ours / peer;
	case measure::us:
		return ours / 1000;
	case measure::kib:
		return ours / 1024;
	}
	return none;
}

const char *
verdict(measure how, const claim &c, double value)
{
	const auto met = [&](double limit) {
		return how == measure::faster ? value >= limit : value <= limit;
	};
	if (!std::isnan(c.goal) && met(c.goal))
		return "goal reached";
	if (!std::isnan(c.floor))
		return met(c.floor) ? "floor held" : "FLOOR MISSED";
	return std::isnan(c.goal) ? "" : "goal missed";
}

std::string
number(double value)
{
	if (!std::isfinite(value))
		return "-";
	return fmt::format("{:.{}f}", value, value < 10 ? 2 : 1);
}

void
print(const cells &figures, measure how, const claim &c)
{
	const double ours = figures.lowest(c.ours);
	const double peer = figures.lowest(c.peer);
	const double value = result(how, ours, peer);
	const bool had = std::isfinite(ours) &&
	    (std::isfinite(peer) || how > measure::slower);
	const char *const said = had ? verdict(how, c, value) : "NO FIGURE";
	fmt::print("  {:<28} {:>9} {:>9} {:>7} {:>6} {:>6}{}{}\n", c.name,
	    number(ours), number(peer), had ? number(value) : "-",
	    number(c.floor), number(c.goal), *said == '\0' ? "" : "  ", said);
}

} // namespace

void
bench_own_stack()
{
	const std::vector<claims> groups = own_claims();
	cells figures;
	figures.add(fence);
	for (const claims &g : groups)
		for (const claim &c : g.all) {
			figures.add(c.ours);
			figures.add(c.peer);
		}
	figures.run(processes);
	fmt::print("\nown stack: ns a capture, the lowest of {} processes in "
	    "turns,\nwith the fence of {} ns that parts captures where they "
	    "are not timed singly\n", processes,
	    number(figures.lowest(fence)));
	for (const claims &g : groups) {
		fmt::print("\n{}\n  {:<28} {:>9} {:>9} {:>7} {:>6} {:>6}\n",
		    g.heading, "",
		    g.how == measure::kib ? "ours, B" : "ours, ns",
		    g.how == measure::kib ? "peer, B" : "peer, ns", "",
		    "floor", "goal");
		for (const claim &c : g.all)
			print(figures, g.how, c);
	}
	const std::string counts = answer({"own_worker", "-", "counts", 0});
	fmt::print("\nmemory and counts of a process with one thread\n{}",
	    counts.empty() ? "  none\n" : counts);
}
