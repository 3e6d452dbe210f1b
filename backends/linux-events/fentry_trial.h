// Whether the kernel takes a program at a function's beginning: by giving it
// one that does nothing.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace stack9::events {

enum class trial_end {
	attached,	// nothing is in the way
	no_rights,	// nor does it take one for a tracepoint
	no_btf,		// it has no types, or none for the function
	not_loaded,	// refused, error says how
	not_attached,	// loaded, and then refused
};

// 8 ms.
trial_end try_fentry(const std::string &function, int &error);

} // namespace stack9::events
