// Reads the ways of programs/tree.c off stacks and compares them with its
// truth.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "watching.h"

// Events by way.  Events whose stack is not whole are counted apart.
struct ways {
	std::map<unsigned, std::uint64_t>	events;
	std::map<unsigned, unsigned>		stacks;	// by way
	std::uint64_t				lost = 0;

	explicit ways(const std::vector<kept_sample> &, pid_t pid = 0);
	// The ways of the truth with another number of events than there were,
	// if each was gone so many times.
	std::vector<unsigned> wrong(unsigned paths, unsigned times = 1) const;
	// The ways with more events than there were: they have others' events.
	std::vector<unsigned> merged() const;
};

std::uint64_t events_of(unsigned paths);	// the truth's sum
