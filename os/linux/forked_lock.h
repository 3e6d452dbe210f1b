// Frees a lock in the child of a fork(2), which has none of the threads that
// may have held it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <mutex>
#include <new>

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

} // namespace stack9
