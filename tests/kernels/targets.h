// Starts processes whose threads sleep, run and nap in functions with names.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

// Killed and reaped when it goes.
class target {
public:
	enum class kind { sleeps, spins, naps };
	explicit target(kind);
	target(const target &) = delete;
	target &operator=(const target &) = delete;
	~target();

	pid_t pid() const { return pid_; }
	// All of them; those of a process that sleeps are asleep.
	const std::vector<pid_t> &tids() const { return tids_; }

private:
	pid_t			pid_;
	int			input_;	// whose other end it may read
	std::vector<pid_t>	tids_;
};

// "name+0xoffset", as /proc/TID/stack has it.
std::vector<std::string> proc_stack(pid_t tid);
