// Declares the program whose events are watched: events_worker.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdio>
#include <functional>
#include <string>

#include <sys/types.h>

// The program is built beside this one.
std::string beside(const std::string &name);

// Nanoseconds that calls took: all of them; and each one, in the quickest batch
// of 200 and in the median one.
struct took {
	double	all = 0, least = 0, median = 0;
};

class events_target {
public:
	// stacks: "one", "tree" or "leaves", names that the program knows.
	explicit events_target(int depth, const char *stacks = "one");
	events_target(const events_target &) = delete;
	~events_target();

	pid_t pid() const { return pid_; }
	// Has so many calls made, at that rate or, 0, as fast as they go;
	// meanwhile is called all the time until they are over.
	took calls(long, double rate = 0,
	    const std::function<void()> &meanwhile = {});

private:
	const char *const stacks_;
	pid_t	 pid_ = -1;
	FILE	*to_ = nullptr, *from_ = nullptr;
};
