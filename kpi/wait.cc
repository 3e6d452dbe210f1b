// Waiting for memory, as the kernel's malloc does.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "wait.h"

#include <cerrno>
#include <cstdlib>
#include <ctime>

#include "os/linux/uncancelled.h"

namespace stack9 {

void *
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

} // namespace stack9
