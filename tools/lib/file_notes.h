// Says what names and lines lack because a file lacks it, or cannot be read
// here.  The library collects these notes, whichever process reads the files.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

// word: one of stack9_file_notes(3).
bool file_lacks(std::string_view file, std::string_view word);

// Gives a sentence for each thing that is lacking, with the files, for a
// terminal.
std::vector<std::string> file_notes_text();

// Gives a member of the last object, ",\"files\":[...]", or "".
std::string file_notes_json();

// Gives the first three, for a terminal, and the number of the others.
std::string listed(const std::set<std::string> &);

} // namespace tools
