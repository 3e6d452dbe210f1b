// Frees a lock in the child of a fork(2), by POSIX calls.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <mutex>
#include <new>

#include <pthread.h>

namespace stack9 {

template <std::mutex &Lock>
int
free_in_children() noexcept
{
	return pthread_atfork(nullptr, nullptr, [] {
		if (Lock.try_lock())
			Lock.unlock();
		else
			new (&Lock) std::mutex;
	});
}

} // namespace stack9
