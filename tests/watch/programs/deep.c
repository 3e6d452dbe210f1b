/*
 * Makes TIMES system calls from LEVELS levels down (deep LEVELS TIMES).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/syscall.h>

#include "stage.h"

void descend(long levels);

void
descend(long levels)
{
	if (levels > 0)
		descend(levels - 1);
	else
		syscall(SYS_getppid);
	asm volatile("" ::: "memory");
}

int
main(int argc, char **argv)
{
	const long levels = stage_number(argc, argv, 1, 300);
	const long times = stage_number(argc, argv, 2, 1);

	stage_ready("");
	for (long i = 0; i < times; i++)
		descend(levels);
	printf("done %ld\n", times);
	stage_end();
}
