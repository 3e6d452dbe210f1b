// Throws an exception through for_each, as a C++ program outside the tree.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <stdexcept>

#include <stack9.hpp>

int
main()
{
	const auto self = stack9::thread::self();
	const auto sample = stack9::save(self, stack9::side::user);
	for (const auto &frame : sample.user().frames())
		std::puts(to_string(frame).c_str());
	try {
		stack9::for_each(self, stack9::side::user,
		    [](const stack9::sample &) {
			    throw std::runtime_error("as meant");
		    });
		return 1;
	} catch (const stack9::error &) {
		return 0;	// refused: nothing was called
	} catch (const std::runtime_error &) {
		return 0;
	}
}
