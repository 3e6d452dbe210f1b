// Throws and catches an exception in a plugin.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stdexcept>

static void
thrower(int depth)
{
	if (depth == 0)
		throw std::runtime_error("as meant");
	thrower(depth - 1);
}

extern "C" int
caught()
{
	try {
		thrower(3);
		return 0;
	} catch (const std::exception &) {
		return 1;
	}
}
