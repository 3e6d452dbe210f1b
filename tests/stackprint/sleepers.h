// Makes a process whose threads but the first sleep in a read of an empty pipe.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include <sys/types.h>

class sleepers {
public:
	// before: called in the process before it has threads, or NULL.
	explicit sleepers(int n, void (*before)() = nullptr);
	~sleepers();
	sleepers(const sleepers &) = delete;
	sleepers &operator=(const sleepers &) = delete;

	pid_t			pid;
	std::vector<pid_t>	tids;	// not the first thread's
};
