/*
 * Makes TIMES system calls (aside TIMES KIB) from below a frame that has KIB
 * KiB of its own, as the threads of Ruby have: more than is copied of a stack.
 * The program touches only the ends of it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <alloca.h>
#include <sys/syscall.h>

#include "stage.h"

void inner(void);
void room(long kib, long times);

void
inner(void)
{
	syscall(SYS_getppid);
	asm volatile("" ::: "memory");
}

void
room(long kib, long times)
{
	volatile char *const own = alloca((size_t)kib * 1024);

	own[0] = own[kib * 1024 - 1] = 1;
	for (long i = 0; i < times; i++)
		inner();
	own[0] = own[kib * 1024 - 1];
}

int
main(int argc, char **argv)
{
	const long times = stage_number(argc, argv, 1, 1);
	const long kib = stage_number(argc, argv, 2, 1024);

	stage_ready("");
	room(kib, times);
	printf("done %ld\n", times);
	stage_end();
}
