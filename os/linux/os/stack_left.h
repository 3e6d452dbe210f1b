// Finds how much stack the calling thread has left, by asking the C library
// where the stack ends.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include <pthread.h>

namespace stack9 {

struct stack_bounds {
	std::uintptr_t	low = 0;
	std::size_t	size = 0;	// 0: not known
};

inline stack_bounds
ask_stack_bounds() noexcept
{
	pthread_attr_t attr;
	if (pthread_getattr_np(pthread_self(), &attr) != 0)
		return {};
	void *low = nullptr;
	stack_bounds b;
	if (pthread_attr_getstack(&attr, &low, &b.size) == 0)
		b.low = reinterpret_cast<std::uintptr_t>(low);
	else
		b.size = 0;
	pthread_attr_destroy(&attr);
	return b;
}

// Bytes below the frame of this function.  0: the caller is on a stack that is
// not its thread's own, or the C library does not know that stack.  The first
// call of a thread takes some microseconds, and in a process's first thread it
// reads /proc/self/maps.  A stack stays where it is, and a process that may
// open nothing any more has asked before.
[[gnu::noinline]] inline std::size_t
stack_left() noexcept
{
	static constinit thread_local stack_bounds known;
	if (known.size == 0)
		known = ask_stack_bounds();
	const auto here = reinterpret_cast<std::uintptr_t>(
	    __builtin_frame_address(0));
	return here > known.low && here - known.low <= known.size ?
	    here - known.low : 0;
}

} // namespace stack9
