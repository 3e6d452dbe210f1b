/*
 * Makes TIMES system calls from LEVELS levels down (wide LEVELS TIMES).  Each
 * level has 512 bytes of its own.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <string.h>
#include <sys/syscall.h>

#include "stage.h"

void descend(long levels);

void
descend(long levels)
{
	volatile char own[512];

	own[levels % 512] = 1;
	if (levels > 0)
		descend(levels - 1);
	else
		syscall(SYS_getppid);
	own[0] = own[levels % 512];
}

int
main(int argc, char **argv)
{
	const long levels = stage_number(argc, argv, 1, 100);
	const long times = stage_number(argc, argv, 2, 1);

	stage_ready("");
	for (long i = 0; i < times; i++)
		descend(levels);
	printf("done %ld\n", times);
	stage_end();
}
