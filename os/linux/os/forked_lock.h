// Frees a lock in the child of a fork(2): it has none of the threads that may
// have held the lock.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <mutex>
#include <new>

#include <pthread.h>

namespace stack9 {

// To be called in the child, by a thread that does not hold the lock.  True: it
// was held, so what it guards may be half changed.
inline bool
free_in_child(std::mutex &lock) noexcept
{
	if (lock.try_lock()) {
		lock.unlock();
		return false;
	}
	new (&lock) std::mutex;
	return true;
}

// Frees a lock of the program in each child from now on.  The data that it
// guards have to be whole at any moment.
template <std::mutex &Lock>
int
free_in_children() noexcept
{
	return pthread_atfork(nullptr, nullptr, [] { free_in_child(Lock); });
}

} // namespace stack9
