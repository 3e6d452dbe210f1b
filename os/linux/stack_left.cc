// Asks the C library where the calling thread's stack ends.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stack_left.h"

#include <cstdint>

#include <pthread.h>

namespace stack9 {

std::size_t
stack_left() noexcept
{
	pthread_attr_t attr;
	if (pthread_getattr_np(pthread_self(), &attr) != 0)
		return 0;
	void *low = nullptr;
	std::size_t size = 0;
	const bool known = pthread_attr_getstack(&attr, &low, &size) == 0;
	pthread_attr_destroy(&attr);
	const auto here = reinterpret_cast<std::uintptr_t>(
	    __builtin_frame_address(0));
	const auto end = reinterpret_cast<std::uintptr_t>(low);
	return known && here > end && here - end <= size ? here - end : 0;
}

} // namespace stack9
