// Defines how many captures a storm has.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdlib>

#include "require.h"

// A quarter of a million takes some 12 seconds.  A change of the programs or of
// the queue has to pass a million.
inline long
captures()
{
	const char *const wish = std::getenv("STACK9_STORM");
	return wish != nullptr ? std::atol(wish) : rounds(1000000, 250000);
}
