/*
 * Sleeps for ever: a program that others become.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <unistd.h>

int
main(void)
{
	for (;;)
		pause();
}
