// Runs a program to its end and keeps what it said.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

struct said {
	int		status = -1;	// exit status, or 128 + signal
	std::string	out, err;
};

struct setup {
	std::vector<std::string>	environment = {};
	std::function<void()>		before_exec = {};	// in the child
	// Descriptors to use in place of the pipes, or -1.
	int				out = -1, err = -1;
};

said run(const std::vector<std::string> &command, const setup & = {});

#ifdef STACKPRINT_FAKE
// stackprint on the fake library; fake: words for STACK9_FAKE.
inline said
stackprint(std::vector<std::string> args, const std::string &fake = "")
{
	args.insert(args.begin(), STACKPRINT_FAKE);
	return run(args, {.environment = {"STACK9_FAKE=" + fake}});
}
#endif

// Counts how often needle is in text.
std::size_t times(const std::string &text, const std::string &needle);
// The printed user stacks whose innermost function is read(2), except those of
// cancellation.h.
std::size_t in_read(const std::string &text);
inline bool
has(const std::string &text, const std::string &needle)
{
	return text.find(needle) != std::string::npos;
}
