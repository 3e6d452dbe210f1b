// Calls a function that needs more stack than the calling thread may have: on a
// thread of its own, if it is so.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

#include <pthread.h>
#include <signal.h>

#include "stack_left.h"

namespace stack9 {

// False: no thread could be made, and f was not called.  f throws nothing.  The
// other thread takes no signal of the program's, and has ended on return.
template <class F>
bool
with_stack(std::size_t needed, F f) noexcept
{
	if (stack_left() >= needed) {
		f();
		return true;
	}
	pthread_attr_t attr;
	if (pthread_attr_init(&attr) != 0)
		return false;
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_t other;
	const bool begun = pthread_attr_setstacksize(&attr,
	    needed + (64 << 10)) == 0 && pthread_create(&other, &attr,
	    [](void *called) -> void * {
		(*static_cast<F *>(called))();
		return nullptr;
	    }, &f) == 0;
	if (begun)
		pthread_join(other, nullptr);
	pthread_sigmask(SIG_SETMASK, &before, nullptr);
	pthread_attr_destroy(&attr);
	return begun;
}

} // namespace stack9
