/*
 * Makes system calls in near() or far(), called from 0 to LEVELS - 1 levels,
 * called from one() or other() (turns LEVELS TIMES).  Each of these stacks
 * makes TIMES calls.  The two ends change in no order; the levels in the middle
 * stay the same for some time.  Some functions find their frame by rbp.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <alloca.h>
#include <sys/syscall.h>

#include "stage.h"

#define	KEPT	asm volatile("" ::: "memory")	/* no tail call */

static int at_far_end;

void near(void), far(int), level(int), roomy(int), one(int), other(int);

void
near(void)
{
	syscall(SYS_getppid);
	KEPT;
}

/* A frame of unknown size is found by rbp. */
void
far(int bytes)
{
	volatile char *room = alloca(bytes);

	room[0] = 1;
	syscall(SYS_getppid);
	KEPT;
}

void
level(int left)
{
	if (left > 0 && left % 3 == 0)
		roomy(left - 1);
	else if (left > 0)
		level(left - 1);
	else if (at_far_end)
		far(24);
	else
		near();
	KEPT;
}

void
roomy(int left)
{
	volatile char *room = alloca(16 + left);

	room[0] = 1;
	level(left);
	KEPT;
}

/* The frames of both have one size, so those in the middle stay in place. */
void
one(int levels)
{
	level(levels);
	KEPT;
}

void
other(int levels)
{
	level(levels);
	KEPT;
}

static void
go(int levels, unsigned ends)
{
	at_far_end = ends & 1;
	if (ends & 2)
		other(levels);
	else
		one(levels);
	KEPT;
}

int
main(int argc, char **argv)
{
	const int levels = (int)stage_number(argc, argv, 1, 100);
	const int times = (int)stage_number(argc, argv, 2, 100);
	int left[4];
	unsigned next = 1;

	stage_ready("");
	for (int n = 0; n < levels; n++) {
		left[0] = left[1] = left[2] = left[3] = times;
		for (int i = 0; i < 4 * times; i++) {
			next = next * 1103515245 + 12345;
			unsigned ends = next >> 20 & 3;
			while (left[ends] == 0)
				ends = (ends + 1) & 3;
			left[ends]--;
			go(n, ends);
		}
	}
	printf("done %d\n", 4 * levels * times);
	stage_end();
}
