// Finds what may keep this kernel from having its functions traced: options
// that it was built without, and its refusal of fentry.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <initializer_list>
#include <string>

namespace stack9::events {

enum class configured { unknown, yes, no };

// The first of these options, such as CONFIG_KPROBES, that is not set.  "": all
// are set, or the options are not known.  The file is read once, in 2 ms.
std::string first_not_configured(std::initializer_list<const char *>);

configured is_configured(const std::string &option);

// The end of an attempt to attach a program that does nothing to a function's
// beginning.
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
