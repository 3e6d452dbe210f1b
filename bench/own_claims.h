// Declares the goals for captures of the calling thread's own stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "own_cells.h"

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// How a claim's result comes from its two figures, and which way is better.
enum class measure {
	faster,		// peer / ours: the more the better
	slower,		// ours / peer: the less the better
	us,		// ours in microseconds: the less the better
	kib		// ours in KiB, likewise
};

struct claim {
	std::string	name;
	question	ours;
	question	peer;
	double		floor = none;	// the least, or the most
	double		goal = none;
};

struct claims {
	std::string		heading;
	measure			how;
	std::vector<claim>	all;
};

std::vector<claims> own_claims();
