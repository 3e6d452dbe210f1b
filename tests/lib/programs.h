// Starts programs whose input and output are pipes, and finds those that are
// here.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace lib {

// A program that runs.  Its owner closes both descriptors, and reaps it.
struct piped {
	pid_t	pid;		// -1: there is no process
	int	input, output;	// to it, and from it
};
// before: as of become().
piped start_piped(const std::vector<std::string> &words,
    const std::function<bool()> &before = {});

// The programs that can be run of those that a variable of the environment
// names, with colons between, or of the usual one if it is not set.
std::vector<std::string> runnable(const char *usual, const char *variable);

// All that a command of the shell prints.
std::string output_of(const std::string &command);

} // namespace lib
