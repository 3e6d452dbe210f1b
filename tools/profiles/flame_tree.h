// Merges stacks by path to the tree that a flame graph draws.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "profile.h"

namespace profiles {

struct flame_node {
	std::uint32_t	frame;		// a frame that is the function;
					// the root has none
	std::uint32_t	depth;		// 0: the root, that is all
	std::uint64_t	start;		// weight of all to the left
	std::uint64_t	weight;		// includes the children's
	std::uint64_t	events;		// likewise
	std::uint64_t	before = 0;	// likewise
};

// Gives each node before its children.  These are sorted by name.
std::vector<flame_node> flame_tree(const profile &);

struct flame_left_out {
	std::size_t	frames = 0;
	std::uint64_t	weight = 0;	// stacks that end in them
};

// Takes out the nodes that are narrower than one of so many parts of the whole,
// and then the narrowest until at most so many nodes are left.
flame_left_out leave_out(std::vector<flame_node> &, std::uint64_t parts,
    std::size_t nodes);

} // namespace profiles
