// How much of a storm there is to be.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdlib>

inline long
captures()
{
	const char *const wish = std::getenv("STACK9_STORM");
	return wish != nullptr ? std::atol(wish) : 500000;
}
