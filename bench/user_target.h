// Starts a user_victim process and waits until its threads sleep where they
// should.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "user_clock.h"

// A program that was built beside this one.
std::string beside(const char *program);

class user_target {
public:
	user_target(unsigned threads, unsigned depth);
	user_target(const user_target &) = delete;
	~user_target();

	// False: it did not start.
	bool in_place() const { return pid_ > 0; }
	pid_t pid() const { return pid_; }
	clock_page &page() { return *page_; }
	int page_fd() const { return fd_; }
	std::vector<pid_t> sleepers() const;

private:
	bool start(unsigned threads, unsigned depth);

	int		fd_ = -1;
	clock_page	*page_ = nullptr;
	pid_t		pid_ = -1;
};
