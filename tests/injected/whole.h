// Knows how many frames the stacks of a process have, so that one that lacks
// some is not taken for complete.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <stack9.h>
#include <sys/types.h>

// The frames of the sides of the process's first thread; 0: not known.
struct whole_depths {
	std::uint32_t	kernel = 0, user = 0;
};
extern whole_depths whole;

// Found in a child, in which nothing fails.
whole_depths depths_of(pid_t pid);

// True for a stack that is called complete, and by nothing but rows, and does
// not have as many frames as `whole`.
bool lacks_frames(const stack9_stack &);
