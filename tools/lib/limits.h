// Raises the limits of what is read of processes and their files, and reports
// what was beyond them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace tools {

// Returns "" or the error.  The text is a number that is
// more than 0, or "none".
std::string limits_error(const std::string &);

// Multiplies the limits by that number, before the first file is read.  A
// program that has its rights from its file keeps the usual limits.
void set_limits(const std::string &);

// Gives the end of the last line, "; left out: ...", or "" if nothing was left
// out.
std::string left_out_text();

// Gives a member of the last object, ",\"left_out\":{...}", or "".
std::string left_out_json();

} // namespace tools
