// Makes a process of one thread that is where it is said to be, and a
// stackprint that is still running.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <future>
#include <string>
#include <vector>

#include <sys/types.h>

#include "child.h"

// Waits until pid is in that state, a letter of /proc/PID/stat; in the system
// call nr unless that is -1.  False: it ended instead.
bool wait_for_state(pid_t pid, char state, long nr = -1);

class worker {
public:
	// place: where it stays; input: a pipe.  The process ends with it.
	explicit worker(void (*place)(int input));
	~worker();
	worker(const worker &) = delete;
	worker &operator=(const worker &) = delete;

	void	order();	// a byte into the pipe
	void	wait_for_end();
	void	kill_and_wait();

	std::string
	name() const
	{
		return std::to_string(pid);
	}

	pid_t	pid;

private:
	int	output_;
	bool	is_over_ = false;
};

class running_stackprint {
public:
	explicit running_stackprint(std::vector<std::string> args);

	// When it has submitted all and waits.
	bool	waits() const;
	void	interrupt(int signo) const;
	void	halt() const;
	void	go_on() const;
	said	end() { return result_.get(); }

private:
	pid_t			pid_ = 0;
	std::future<said>	result_;
};
