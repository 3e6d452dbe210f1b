// Tests whether the kernel takes a program at a function's beginning, with a
// program that does nothing.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace stack9::events {

enum class trial_end {
	attached,	// nothing is in the way
	no_rights,	// the kernel takes none for a tracepoint either
	no_btf,		// it has no types, or none for the function
	not_loaded,	// it was refused; error says how
	not_attached,	// it was loaded and then refused
};

// Takes 8 ms.
trial_end try_fentry(const std::string &function, int &error);

} // namespace stack9::events
