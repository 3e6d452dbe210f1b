// Makes processes that wait for each other, and reads what stackprint says of
// them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

// Processes that are killed and reaped when it goes.
class company {
public:
	company() = default;
	company(const company &) = delete;
	~company();
	// A process that does it, and then waits for a signal.
	void add(const std::function<void()> &play);
	std::string list() const;

	std::vector<pid_t>	pids;
};

// Threads fall asleep when they like, so the program is run until it has said
// what is awaited.
std::string until(const std::string &text,
    const std::vector<std::string> &args);
