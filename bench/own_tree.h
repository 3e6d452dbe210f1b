// Declares a call tree to take stacks in: 64 functions whose frames differ in
// size and in the registers they save, each calling the next one from one of
// two places.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

struct walker {
	unsigned	depth = 0;	// functions of the tree on the stack
	unsigned	target = 0;	// at which leaf() is called
	unsigned	low = 0;	// leaf() says: so many are to stay
	std::uint32_t	random = 1;
	std::uint64_t	sum = 0;	// keeps what the functions keep alive

	virtual ~walker() = default;
	virtual void leaf() = 0;

	std::uint32_t
	next()
	{
		random ^= random << 13;
		random ^= random >> 17;
		random ^= random << 5;
		return random;
	}
};

// Goes to a target of so many functions, on a path that the seed decides, and
// comes back when a leaf() has left low at 0.
void walk_tree(walker &, unsigned target, std::uint32_t seed);

// The functions to go through for a capture of so many frames, if a capture
// through one function had `found` frames; 0: cannot be.
constexpr unsigned
nodes_for(unsigned wanted, unsigned found)
{
	return wanted >= found ? 1 + wanted - found : 0;
}
