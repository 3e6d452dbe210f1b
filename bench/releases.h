// Finds the releases of a peer that there are here: this machine's, and the one
// in the directory of STACK9_PEERS (bench/newest-peers makes it).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

struct release {
	std::string	program;	// a path, or a name to be searched
	std::string	name;		// "gdb 18.1"
};

// The newest comes last.  None: it is not installed.
std::vector<release> releases_of(const std::string &program);
