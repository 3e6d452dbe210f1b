// Numbers the functions of a profile: a graph shows frames of one function as
// one, whatever their addresses.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "profile.h"

namespace profiles {

// Numbers functions in the order of their names.
struct distinct {
	std::vector<std::uint32_t> of;		// function of a frame
	std::vector<std::uint32_t> first;	// a frame of each
};

distinct distinct_frames(const profile &);

} // namespace profiles
