// Runs a program of ./programs that waits to begin and then says what it has
// done.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

// The destructor kills and reaps the program.
class staged {
public:
	// program: its name; it has frame pointers unless that ends in _lean.
	explicit staged(const std::string &program,
	    const std::vector<std::string> &args = {});
	staged(const staged &) = delete;
	staged &operator=(const staged &) = delete;
	~staged();

	pid_t pid() const { return pid_; }
	// The numbers that it printed when it was ready.
	const std::vector<std::int64_t> &ready() const { return ready_; }

	void	go();
	// Returns whether it is done after waiting so long; truth() is then
	// what it printed.
	bool	done(int timeout_ms = 0);
	// Waits; throws if go() was not called.
	const std::vector<std::int64_t> &truth();
	void	end();			// it exits by itself, and is reaped

	static std::string path(const std::string &program);

private:
	std::vector<std::int64_t> line(const char *begins);

	pid_t				pid_ = -1;
	int				input_ = -1, output_ = -1;
	bool				gone_ = false, done_ = false;
	std::vector<std::int64_t>	ready_, truth_;
};
