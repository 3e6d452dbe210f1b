// Runs a program of Python that says itself what its threads do.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <sys/types.h>

// The frames of a thread, innermost first: "name\tfile\tline".
using frames = std::vector<std::string>;
using stacks = std::map<pid_t, frames>;	// by tid

// Killed and reaped when it goes.
class python_program {
public:
	// Waits until its threads are blocked, and have been described.
	python_program(const std::string &python, int seed, int threads);
	// Does the same with another program.
	python_program(const std::string &python, const std::string &script,
	    const std::vector<std::string> &args = {});
	python_program(const python_program &) = delete;
	python_program &operator=(const python_program &) = delete;
	~python_program();

	pid_t pid() const { return pid_; }
	const stacks &said() const { return said_; }
	// All lines of a program that says no threads, except the last.
	const frames &lines() const { return lines_; }

private:
	void start(const std::vector<std::string> &args);
	void read_stacks(int fd);

	pid_t	pid_ = -1;
	int	input_ = -1;
	stacks	said_;
	frames	lines_;
};

// The interpreters that are here, /usr/bin/python3 first.
const std::vector<std::string> &pythons();

// Skips a test where there is none.
boost::unit_test::decorator::precondition has_python();
