// Runs a program that counts its own system calls by the stacks of its
// language.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

// How many events there were of each stack: "name|file|line|name|...".
using stack_counts = std::map<std::string, std::uint64_t>;

// Killed and reaped when it goes.
class counted_program {
public:
	explicit counted_program(const std::vector<std::string> &words);
	counted_program(const counted_program &) = delete;
	counted_program &operator=(const counted_program &) = delete;
	~counted_program();

	pid_t pid() const { return pid_; }
	// Has it do what the line says, and gives what it prints.
	std::vector<std::string> ask(const std::string &line);
	// The answer to a line, as counts.
	stack_counts counts(const std::string &line);

private:
	pid_t	pid_ = -1;
	int	input_ = -1;
	std::unique_ptr<std::FILE, int (*)(std::FILE *)> output_;
};
