// Times two ways of doing one thing in turns in one run, so that other work of
// the machine falls on both, and gives their medians and their ratio.
//
// google-benchmark times one thing after another, minutes apart on a shared
// machine; ratios of such figures were seen to differ by half.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

struct way {
	std::string		name;
	std::function<void()>	once;
	int			times = 1;	// calls in a round
};

// Microseconds of one call: the median round's, and the slowest in a hundred.
struct cost {
	double median;
	double p99;
};

// Runs the ways in turns; prints a line for each, then the ratio of the
// second to the first and what the goal for it was.
std::vector<cost> compare(const std::string &what,
    const std::vector<way> &ways, int rounds, const std::string &goal);

double now_us();
