// Dumps processes for tests, and compares what is read of a dump with what they
// do.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <lib/programs.h>

#include "made_core.h"

namespace cores {

// The program that waits, until this goes.
class waiting {
public:
	explicit waiting(const std::vector<std::string> &words = {PROGRAM,
	    "wait"});
	waiting(const waiting &) = delete;
	waiting &operator=(const waiting &) = delete;
	~waiting();

	pid_t pid() const { return is_.pid; }

private:
	lib::piped	is_;
};

void dump_to(stack9_core *, const std::string &path);
void dump(pid_t, const std::string &path);

// A line of a thread has its tid and its functions.
using lines = std::vector<std::string>;
lines lines_of_core(const std::string &path);
lines lines_of_process(pid_t);

// Dumps a process that may run, until its stacks were the same before and
// after, and gives these.
lines dump_still(pid_t, const std::string &path);

// The frames that a debugger prints of threads.
lines frames_of(const std::string &command);

} // namespace cores
