// Runs a program and keeps what it prints.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

// The destructor kills and reaps the program.
class running {
public:
	explicit running(const std::vector<std::string> &command);
	running(const running &) = delete;
	running &operator=(const running &) = delete;
	~running();

	// Reads its stderr until it has printed that; false: it never did.
	bool	says(const std::string &text);
	void	interrupt() const;
	// Reads both to their ends, then its exit status.
	int	end();

	std::string	out, err;

private:
	pid_t	pid_ = -1;
	int	out_ = -1, err_ = -1;
};
