// Defines a function with a long symbol.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "long_name.h"

#include <unistd.h>

namespace api {

[[gnu::noinline]] void
long_named_waits(int fd)
{
	char byte;
	while (read(fd, &byte, 1) == 1)
		asm volatile("" : : : "memory");
}

} // namespace api
