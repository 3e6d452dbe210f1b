// Times two functions in turns.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "pair.h"

#include <algorithm>

#include <fmt/format.h>
#include <time.h>

double
now_us()
{
	timespec t{};
	clock_gettime(CLOCK_MONOTONIC, &t);
	return static_cast<double>(t.tv_sec) * 1e6 +
	    static_cast<double>(t.tv_nsec) / 1e3;
}

static double
round_of(const way &w)
{
	const double begin = now_us();
	for (int i = 0; i < w.times; i++)
		w.once();
	return (now_us() - begin) / w.times;
}

std::vector<cost>
compare(const std::string &what, const std::vector<way> &ways, int rounds,
    const std::string &goal)
{
	std::vector<std::vector<double>> all(ways.size());
	for (const way &w : ways)
		w.once();	// first use is another thing
	for (int r = 0; r < rounds; r++)
		for (std::size_t i = 0; i < ways.size(); i++)
			all[i].push_back(round_of(ways[i]));
	std::vector<cost> costs;
	fmt::print("\n{}\n", what);
	for (std::size_t i = 0; i < ways.size(); i++) {
		std::sort(all[i].begin(), all[i].end());
		costs.push_back({all[i][all[i].size() / 2],
		    all[i][all[i].size() * 99 / 100]});
		fmt::print("  {:<46} {:>10.3f} us   [{:.3f} .. {:.3f}]\n",
		    ways[i].name, costs[i].median, all[i].front(),
		    all[i].back());
	}
	if (ways.size() > 1)
		fmt::print("  {:<46} {:>10.2f} times   {}\n", "ratio",
		    costs[1].median / costs[0].median, goal);
	return costs;
}
