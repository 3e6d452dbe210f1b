// Makes text safe for a terminal: the name of a thread or a module must neither
// control the terminal nor break the line.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

namespace stackprint {

// Printable ASCII stays, a backslash is doubled, and any other byte becomes
// \ooo.  UTF-8 is escaped too, because it is not known whether the terminal
// reads it as such: in Latin-1 the bytes 0x80 to 0x9f are controls.
std::string printable(std::string_view);

// Gives the word for a state letter of /proc/TID/stat.
const char *state_word(char state);

// True for schedule() and its like.  Every sleeper is in one of them, so they
// say nothing new.
bool is_scheduler(std::string_view function);

} // namespace stackprint
