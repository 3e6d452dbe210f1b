// Stacks merged by path: what a flame graph draws.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "profile.h"

namespace profiles {

struct flame_node {
	std::uint32_t	frame;		// one of profile::frames that is the
					// function; not of the root
	std::uint32_t	depth;		// 0: the root, which is all
	std::uint64_t	start;		// weight of all that is left of it
	std::uint64_t	weight;		// its own and its children's
	std::uint64_t	events;		// likewise
};

// A node, then its children with theirs, which are sorted by name.
std::vector<flame_node> flame_tree(const profile &);

struct flame_left_out {
	std::size_t	frames = 0;
	std::uint64_t	weight = 0;	// of stacks that end in them
};

// Take out the nodes that are narrower than one of so many parts of the whole,
// and the narrowest until at most so many nodes are left.
flame_left_out leave_out(std::vector<flame_node> &, std::uint64_t parts,
    std::size_t nodes);

} // namespace profiles
