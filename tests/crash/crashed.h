// Starts the program that crashes, and has what it reported.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <sys/types.h>

#include <boost/test/unit_test.hpp>

struct outcome {
	std::string	report, said;
	int		status = -1;
	double		seconds = 0;
	pid_t		pid = 0;

	bool has(const char *what) const;
	int count(const char *what) const;
	// The lines of the thread of that name.
	std::string thread(const std::string &name) const;
	bool killed_by(int signo) const;
};

std::ostream &operator<<(std::ostream &, const outcome &);

struct started {
	pid_t	pid;
	int	report, said;
};

// small: the pipe of the report has little room.
started start(const std::vector<std::string> &arguments, bool small = false);
outcome end_of(const started &);
outcome crash(const std::vector<std::string> &arguments);

#define	CHECK(condition, o)						\
	BOOST_CHECK_MESSAGE(condition, #condition << "\n" << o)
