// Allocates and frees; heaptrack, preloaded, captures the stack of each
// allocation by libunwind.  By itself it shows what malloc(3) costs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>

#include "backtraces.h"

namespace backtraces {
namespace {

int
allocate()
{
	void *volatile p = std::malloc(100);
	std::free(p);
	return 4;	// about as many frames are main()'s and libc's
}

} // namespace

std::span<const by>
of_library()
{
	static constexpr by all[] = {{"malloc() and free()", allocate}};
	return all;
}

} // namespace backtraces
