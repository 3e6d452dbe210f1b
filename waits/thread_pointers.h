// Keeps the thread pointers of the threads of processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <sys/types.h>

namespace stack9::waits {

// An interpreter's structures name a thread by its pointer.
class thread_pointers {
public:
	struct one {
		std::uint64_t	pointer;
		pid_t		tid;
	};
	// They are read once.  Throws std::bad_alloc.
	const std::vector<one>	&of(pid_t);

private:
	std::map<pid_t, std::vector<one>>	known_;
};

} // namespace stack9::waits
