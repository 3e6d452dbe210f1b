// Captures one side of a thread as a program does: into a sample that is closed
// again.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <stack9.h>

// The parts of a closed sample that benchmarks print.
struct captured {
	int		 error = 0;
	int		 why = STACK9_WHY_NONE;
	std::uint32_t	 depth = 0;
	const char	*route = "";	// never freed
};

// space: the one that the caller keeps, for a user side, or NULL.
inline captured
capture_side(const stack9_thread &td, stack9_side side,
    stack9_space *space = nullptr)
{
	stack9_save_options o{};
	o.size = sizeof o;
	o.space = space;
	stack9_sample *sample = nullptr;
	captured c;
	c.error = stack9_save(&td, side, &o, &sample);
	if (sample == nullptr)
		return c;
	const stack9_stack &s = side == STACK9_USER ? *sample->user :
	    *sample->kernel;
	c.why = s.why;
	c.depth = s.depth;
	c.route = s.route;
	stack9_sample_close(sample);
	return c;
}
