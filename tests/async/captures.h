// How much of a storm there is to be.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdlib>

#include "require.h"

// A quarter of a million takes some 12 seconds.  A million is what a change of
// the programs or of the queue has to pass.
inline long
captures()
{
	const char *const wish = std::getenv("STACK9_STORM");
	return wish != nullptr ? std::atol(wish) : rounds(1000000, 250000);
}
