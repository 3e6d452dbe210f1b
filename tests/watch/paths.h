// The ways of programs/tree.c, read off stacks and held against its truth.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "watching.h"

// Events by way; those whose stack is not whole are counted beside.
struct ways {
	std::map<unsigned, std::uint64_t>	events;
	std::map<unsigned, unsigned>		stacks;	// that went it
	std::uint64_t				lost = 0;

	explicit ways(const std::vector<kept_sample> &, pid_t pid = 0);
	// Ways of the truth whose events are not as many as they were.
	std::vector<unsigned> wrong(unsigned paths) const;
	// ... that have more than there were: others' under their name.
	std::vector<unsigned> merged() const;
};

std::uint64_t events_of(unsigned paths);	// the truth's sum
