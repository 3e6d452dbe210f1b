// Runs a program of Node that says itself where it waits.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <sys/types.h>

// The functions of a thread, innermost first: "name\tfile\tline".
using frames = std::vector<std::string>;

// Killed and reaped when it goes.
class node_program {
public:
	// Options of Node come before the script's: the seed, the number of
	// stacks, and the calls before them.
	node_program(const std::string &node,
	    const std::vector<std::string> &options, int seed, int stacks,
	    int calls);
	node_program(const node_program &) = delete;
	node_program &operator=(const node_program &) = delete;
	~node_program();

	// Reads what the program says of its next wait.  False: it has ended.
	bool next(frames &said);
	// Ends the wait.
	void go_on();
	pid_t pid() const { return pid_; }

private:
	pid_t	pid_ = -1;
	int	input_ = -1;
	std::unique_ptr<std::FILE, int (*)(std::FILE *)> output_{nullptr,
	    std::fclose};
};

// Gives the functions that a capture has of the main thread once it sleeps in
// the one that reads, except those of node:fs.
frames captured(pid_t);

// The programs that are here, /usr/bin/node first.
const std::vector<std::string> &nodes();

// Skips a test where there is none.
boost::unit_test::decorator::precondition has_node();
