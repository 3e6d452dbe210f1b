// Defines what was reported of a random program, and when.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace soak {

struct said_holder {
	pid_t	tid, pid;
};

// A wait, as the library or a program reported it.
struct said_wait {
	pid_t		tid = 0, pid = 0;
	std::string	kind;		// stack9_wait_text()'s
	std::uint64_t	address = 0;
	std::string	object, reason;
	bool		moved = false;
	std::vector<said_holder> holders;
};

// A user stack.
struct reported_stack {
	pid_t		tid = 0;
	bool		complete = false;
	std::vector<std::uint64_t> pcs;
};

// From before the first capture to after the last answer.
struct span {
	std::uint64_t	begin, end;
};

} // namespace soak
