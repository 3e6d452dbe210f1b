// Allocates memory as malloc(9) does with M_WAITOK or M_NOWAIT.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <new>

#include "os/uncancelled.h"

namespace stack9 {

// Returns size zeroed bytes, for free().  NULL only with nowait.  Without
// nowait the call asks again every 10 ms until there is memory, for ever if
// there never is: M_WAITOK has no way to fail, and its callers do not check.
// errno is kept.
inline void *
malloc_wait(std::size_t size, bool nowait) noexcept
{
	const uncancelled guard;
	const int saved = errno;
	const timespec pause{0, 10'000'000};
	void *p;

	while ((p = std::calloc(1, size)) == nullptr && !nowait)
		nanosleep(&pause, nullptr);
	errno = saved;
	return p;
}

// Makes a T in such memory.  The C entry points have no way to fail, so the
// call waits.
template <class T> T *
create_waiting() noexcept
{
	return new (malloc_wait(sizeof(T), false)) T{};
}

} // namespace stack9
