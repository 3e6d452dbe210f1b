// Declares what bench/backtraces.cc measures of another library: each library
// has a file.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

namespace backtraces {

struct by {
	const char	*name;
	int		(*capture)();	// returns the number of frames
};

std::span<const by> of_library();

} // namespace backtraces
