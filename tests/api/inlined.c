/*
 * Defines a function that waits for a byte in a call that is inlined into it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <unistd.h>

void	inlined_waits(int fd);

static inline __attribute__((__always_inline__)) long
in_line(int fd)
{
	char c;

	return (read(fd, &c, 1) + 1);
}

static volatile long result;

void
inlined_waits(int fd)
{
	result = in_line(fd);
}
