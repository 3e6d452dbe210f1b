// Times names and lines of addresses, each peer in fresh processes in turns.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>

#include <fmt/format.h>

#include "benches.h"
#include "own_cells.h"
#include "statistics.h"

namespace {

constexpr unsigned pcs = 200;
constexpr const char *peers[] = {"stack9", "dladdr", "libdwfl",
    "libbacktrace"};

struct figures {
	std::vector<double>	open, first, all, fresh, again;
	unsigned		had = 0;

	void
	add(const std::string &text)
	{
		double o, f, w, n, a;
		if (std::sscanf(text.c_str(), "%lf %lf %lf %lf %lf %u", &o, &f,
		    &w, &n, &a, &had) != 6)
			return;
		open.push_back(o);
		first.push_back(f);
		all.push_back(w);
		fresh.push_back(n);
		again.push_back(a);
	}
};

std::string
pair(const std::vector<double> &all)
{
	if (all.empty())
		return fmt::format("{:>22}", "-");
	return fmt::format("{:>11.3f} {:>10.3f}", median(all), lowest(all));
}

void
print_goal(const char *what, const std::vector<double> &all, double goal)
{
	if (!all.empty())
		fmt::print("  {}: {:.3f} us, goal {}: {}\n", what, lowest(all),
		    goal, lowest(all) <= goal ? "reached" : "MISSED");
}

void
bench(const char *row, int processes, bool goals)
{
	figures all[std::size(peers)];
	for (int i = 0; i < processes; i++)
		for (std::size_t p = 0; p < std::size(peers); p++)
			all[p].add(answer({"names_worker", peers[p], row,
			    pcs}));
	fmt::print("\n{} of {} addresses in this process: us of CPU, median "
	    "and lowest of {} processes\n  {:<14} {:>22} {:>22} {:>22} {:>22} "
	    "{:>22} {:>6}\n", row, pcs, processes, "", "to be ready",
	    "and the first", "and all", "a new one, later",
	    "seen before", "had");
	for (std::size_t p = 0; p < std::size(peers); p++)
		if (all[p].had != 0)
			fmt::print("  {:<14} {} {} {} {} {} {:>6}\n", peers[p],
			    pair(all[p].open), pair(all[p].first),
			    pair(all[p].all), pair(all[p].fresh),
			    pair(all[p].again), all[p].had);
	if (!goals)
		return;
	print_goal("first in a process, with what makes ready", all[0].first,
	    500);
	print_goal("a new address", all[0].fresh, 1);
	print_goal("seen before", all[0].again, 0.05);
}

} // namespace

void
bench_user_names(bool quick)
{
	bench("names", quick ? 3 : 11, true);
	bench("lines", quick ? 3 : 11, false);
}
