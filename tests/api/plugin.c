/*
 * Defines a function that waits for a byte.  Two plugins of this source differ
 * in its name only, and lie at the same address, one after the other.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <unistd.h>

__attribute__((visibility("default"))) int
WAITS(int fd)
{
	char byte;

	return (read(fd, &byte, 1) == 1);
}
