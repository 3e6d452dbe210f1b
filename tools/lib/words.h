// Why there is no stack, or why it is not whole: in a sentence for people, in a
// word for programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <stack9.h>

namespace stackprint {

// The library's sentence.
const char *reason(const stack9_record &);

// Behind "none: ", for a record with an error.
std::string none_because(const stack9_record &);

// The last line of a stack: complete, truncated at, stopped.  stops: --stop is
// given, so there is no need to speak of it.
std::string ending(const stack9_record &, bool stops);

// For programs; the same in every release.
const char *word(enum stack9_why);

} // namespace stackprint
