// Says why there is no stack, or why it is not whole: in a sentence for people,
// in a word for programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <stack9.h>

namespace stackprint {

// Gives the library's sentence.
const char *reason(const stack9_record &);

// Gives the text behind "none: " for a record with an error.
std::string none_because(const stack9_record &);

// Gives the last line of a stack: complete, truncated at, stopped.  stops:
// --stop is given, so the line need not mention it.
std::string ending(const stack9_record &, bool stops);

// Gives the word for programs, which is the same in every release.
const char *word(enum stack9_why);

} // namespace stackprint
