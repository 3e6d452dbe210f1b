// See memory.h.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "memory.h"

#include <sys/uio.h>
#include <unistd.h>

namespace stack9::tracing {

bool
can_read_processes() noexcept
{
	int here = 9, there = 0;
	const iovec local{&there, sizeof there}, remote{&here, sizeof here};
	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) ==
	    sizeof there;
}

} // namespace stack9::tracing
