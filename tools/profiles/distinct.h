// Frames of one function, whatever their addresses, are one to a graph.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "profile.h"

namespace profiles {

// Numbers for functions, in the order of their names.
struct distinct {
	std::vector<std::uint32_t> of;		// each of profile::frames
	std::vector<std::uint32_t> first;	// of profile::frames, of each
};

distinct distinct_frames(const profile &);

} // namespace profiles
