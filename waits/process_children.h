// Keeps the children of processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <vector>

#include <sys/types.h>

namespace stack9::waits {

class process_children {
public:
	struct child {
		pid_t	pid;
		pid_t	parent;		// the thread that made it
	};
	// The children of all threads of a process, dead or alive.  They are
	// read once.
	const std::vector<child>	&of(pid_t);

private:
	std::map<pid_t, std::vector<child>>	known_;
};

} // namespace stack9::waits
