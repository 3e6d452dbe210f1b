// A C++ program outside the tree: a callback that throws through for_each.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <stdexcept>

#include <unistd.h>

#include <stack9.hpp>

int
main()
{
	std::uintptr_t pcs[32];
	stack9::capture c(pcs);
	if (c.save(STACK9_USER, stack9::this_thread()) != 0)
		return 1;
	for (const std::uintptr_t &pc : c)
		std::puts(stack9::name(pc, c.lookup(&pc)).c_str());
	try {
		const int error = stack9::for_each(STACK9_KERNEL, getpid(),
		    [](const stack9::view &) {
			    throw std::runtime_error("as meant");
		    });
		return error == 0;	// refused: nothing was called
	} catch (const std::runtime_error &) {
		return 0;
	}
}
