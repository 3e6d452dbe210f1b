// How much of a storm there is to be.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdlib>

// A quarter of a million takes some 12 seconds; STACK9_STORM=1000000 is what a
// change of the programs or of the queue has to pass.
inline long
captures()
{
	const char *const wish = std::getenv("STACK9_STORM");
	return wish != nullptr ? std::atol(wish) : 250000;
}
