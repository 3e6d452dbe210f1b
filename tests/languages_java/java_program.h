// Runs a program of Java that says itself what its threads do.
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
class java_program {
public:
	// Waits until its threads are blocked, and have been described.
	// before: how often each stack is run before that.
	java_program(const std::string &java, const std::string &option,
	    int seed, int threads, int before);
	java_program(const java_program &) = delete;
	java_program &operator=(const java_program &) = delete;
	~java_program();

	pid_t pid() const { return pid_; }
	// The name of a hidden class is without its number up to JDK 14, where
	// no table of the machine has it.
	const stacks &said() const { return said_; }

private:
	void read_stacks(int fd);
	std::string normal(std::string line) const;

	pid_t	pid_ = -1;
	int	input_ = -1;
	int	major_ = 0;
	stacks	said_;
};

// The machines that are here, /usr/bin/java first.
const std::vector<std::string> &javas();

// Skips a test where there is none, or where the program was not compiled.
boost::unit_test::decorator::precondition has_java();

// The functions of Java that a capture finds.  A frame that is flagged as
// guessed is counted.
stacks captured(pid_t, std::size_t &guessed);
