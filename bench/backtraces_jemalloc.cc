// Allocates and frees by jemalloc.  With MALLOC_CONF=prof:true,lg_prof_sample:0
// it captures each stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>

#include <jemalloc/jemalloc.h>
#include <stack9_backtrace.h>

#include "backtraces.h"

namespace backtraces {
namespace {

int
allocate()
{
	void *volatile p = std::malloc(100);
	std::free(p);
	return 6;	// about as many frames are jemalloc's and main()'s
}

} // namespace

std::span<const by>
of_library()
{
	static constexpr by all[] = {
		{"jemalloc", allocate},
#ifdef WITH_HOOK
		{"jemalloc by the hook", [] {
			static const int set = stack9_set_jemalloc(nullptr);
			return set == 0 ? allocate() : 0;
		}},
#endif
	};
	return all;
}

} // namespace backtraces
