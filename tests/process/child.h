// Starts a test's programs.  They say when they are where they should be.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

#include <stack9.h>

#include "lib/scratch.h"

using lib::scratch;

// Killed and reaped when it goes.
class child {
public:
	// before is run in it, before the program is.
	explicit child(std::vector<std::string> args,
	    std::function<bool()> before = {});
	child(const child &) = delete;
	child &operator=(const child &) = delete;
	~child();

	pid_t pid() const { return pid_; }
	// Its leader, by tid, pid and start.
	stack9_thread thread() const { return thread_of(pid_); }
	stack9_thread thread_of(pid_t tid) const;
	// The thread that it has besides its leader.
	pid_t other_tid() const;

	// Waits for this line of its output.  False: it has ended.
	bool said(const std::string &line);
	// And until it waits for input.
	bool says(const std::string &line);
	bool waits(pid_t tid) const;
	void give_byte();
	void kill_and_reap();

private:
	pid_t		pid_ = -1;
	int		in_ = -1, out_ = -1;
};

// A program of this test's, by its name.
std::string program(const std::string &name);
