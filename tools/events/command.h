// Starts the command after "--".  Its process exists before the command runs,
// so that it can be watched from its first instruction on.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace events {

class command {
public:
	command() = default;
	~command();	// sends SIGTERM if it still runs
	command(const command &) = delete;
	command &operator=(const command &) = delete;

	// Starts a process that waits to become the command.  Returns 0 or an
	// errno.
	int start(const std::vector<std::string> &);
	// Lets the command run.  Returns 0, or why it could not be run.
	int release();
	// True if the command was started and has ended.
	bool ended();

	pid_t
	pid() const
	{
		return pid_;
	}

private:
	pid_t	pid_ = 0;
	int	go_ = -1;	// a byte here lets it run
	int	failed_ = -1;	// delivers the errno of execvp()
	bool	ended_ = false;
};

} // namespace events
