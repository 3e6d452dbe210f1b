// Finds the functions that were inlined into optimised code.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "compiled.h"

namespace stack9::languages::javascript {

// A function that a place in optimised code is in.
struct inlined {
	tagged		shared = 0;
	std::int32_t	offset = 0;	// in its bytecode
	bool		is_construction = false;
	tagged		function = 0, receiver = 0;	// 0: not known
};

// Gives the functions of an address in optimised code, outermost first; none:
// they are not known.  fp is the frame pointer there.
std::vector<inlined> functions_at(heap &, const compiled &, std::uint64_t pc,
    std::uint64_t fp);

// Returns true if optimised code was made of the function with this
// information, or if that function is inlined in the code.
bool is_made_of(heap &, const compiled &, tagged shared);

} // namespace stack9::languages::javascript
