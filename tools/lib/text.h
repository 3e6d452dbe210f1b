// Words for a terminal: nothing a thread or a module calls itself may act on
// the terminal or break the line.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

namespace stackprint {

// Printable ASCII stays; a backslash is doubled; all else is \ooo.  UTF-8 is
// escaped too: whether the terminal reads it so is not known, and in Latin-1
// the bytes 0x80 to 0x9f are controls.
std::string printable(std::string_view);

// The state letter of /proc/TID/stat in words.
const char *state_word(char state);

// schedule() and its kin: where every sleeper is, and so no news.
bool is_scheduler(std::string_view function);

} // namespace stackprint
