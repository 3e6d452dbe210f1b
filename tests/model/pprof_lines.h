// Reads the functions of a profile in pprof's format.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

// Gives "name file:line" of each line of each location.
std::vector<std::string> pprof_lines(const std::string &bytes);
