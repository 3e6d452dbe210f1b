// Declares the peers that can capture the calling thread's own stack, by one
// type.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <stack9.h>
#include <sys/stack.h>

// The memory that captures go to.  The frame-pointer loop ends at the frame at
// limit, as one in a program would at the end of the stack.
struct frames {
	static constexpr unsigned room = 1100;

	std::uintptr_t	pcs[room]{};	// written: its pages are there
	struct stack	st;
	const void	*limit = nullptr;
};

// How many frames there are, from the caller or its caller on.
using capture = unsigned (*)(frames &);

// By its name, for stacks as deep as that; nullptr: there is none such.
capture peer_called(const char *name, unsigned depth);
