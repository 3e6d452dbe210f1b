// Asks the C library where the calling thread's stack ends.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stack_left.h"

#include <cstdint>

#include <pthread.h>

namespace stack9 {

namespace {

struct bounds {
	std::uintptr_t	low = 0;
	std::size_t	size = 0;	// 0: not known
};

bounds
ask() noexcept
{
	pthread_attr_t attr;
	if (pthread_getattr_np(pthread_self(), &attr) != 0)
		return {};
	void *low = nullptr;
	bounds b;
	if (pthread_attr_getstack(&attr, &low, &b.size) == 0)
		b.low = reinterpret_cast<std::uintptr_t>(low);
	else
		b.size = 0;
	pthread_attr_destroy(&attr);
	return b;
}

} // namespace

// A stack stays where it is.  A process that may open nothing any more has
// asked before.
std::size_t
stack_left() noexcept
{
	static constinit thread_local bounds known;
	if (known.size == 0)
		known = ask();
	const auto here = reinterpret_cast<std::uintptr_t>(
	    __builtin_frame_address(0));
	return here > known.low && here - known.low <= known.size ?
	    here - known.low : 0;
}

} // namespace stack9
