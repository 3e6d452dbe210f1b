/*
 * Makes TIMES system calls from LEVELS levels down (hollow LEVELS TIMES).  Each
 * level has 64 KiB of its own and touches the ends of it alone, so that the
 * pages between them are not in memory.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/syscall.h>

#include "stage.h"

void descend(long levels);

void
descend(long levels)
{
	volatile char own[64 * 1024];

	own[0] = own[sizeof(own) - 1] = 1;
	if (levels > 0)
		descend(levels - 1);
	else
		syscall(SYS_getppid);
	own[0] = own[sizeof(own) - 1];
}

int
main(int argc, char **argv)
{
	const long levels = stage_number(argc, argv, 1, 1);
	const long times = stage_number(argc, argv, 2, 1);

	stage_ready("");
	for (long i = 0; i < times; i++)
		descend(levels);
	printf("done %ld\n", times);
	stage_end();
}
