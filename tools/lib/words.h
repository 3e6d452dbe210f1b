// Says why there is no stack, or why it is not whole: in a sentence for people,
// in a word for programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "names.h"

namespace tools {

// Gives the library's sentence; without /proc, where every thread seems to be
// gone, another one.
const char *reason(const stack &);

// Gives the text after "none: " for a stack of the sample, with an error.
std::string none_because(const sample &, const stack &);

// Gives the last line of a stack: complete, truncated at, stopped.  stops:
// --stop is given, so the line need not mention it.
std::string stop_reason(const stack &, names &, bool stops);

// Gives the word for programs.  It is the same in every release.
const char *word(int why);

} // namespace tools
