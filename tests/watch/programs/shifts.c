/*
 * Makes system calls from stacks that differ by one return address and by its
 * place (shifts TIMES).  Its word of the last stack still is where it was, so
 * only the saved frame pointer shows it.  Each of the four stacks makes TIMES
 * runs of four calls.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <alloca.h>
#include <sys/syscall.h>

#include "stage.h"

#define	KEPT	asm volatile("" ::: "memory")	/* no tail call */
#define	ROOM	128

static int through;

void calls(void), inner(int), outer(int), between(int);

void
calls(void)
{
	for (volatile int i = 0; i < 4; i++)
		syscall(SYS_getppid);
}

/* A frame of unknown size is found by rbp. */
void
between(int bytes)
{
	volatile char *room = alloca(bytes);

	room[0] = 1;
	calls();
	KEPT;
}

void
inner(int bytes)
{
	volatile char *room = alloca(bytes);

	room[0] = 1;
	if (through)
		between(24);
	else
		calls();
	KEPT;
}

/* The two frames have one size together, and inner() returns to one place or
 * the other. */
void
outer(int bytes)
{
	volatile char *room = alloca(bytes);

	room[0] = 1;
	if (bytes < ROOM / 2)
		inner(ROOM - bytes);
	else {
		inner(ROOM - bytes);
		asm volatile("nop");	/* a call of its own */
	}
	KEPT;
}

int
main(int argc, char **argv)
{
	const int times = (int)stage_number(argc, argv, 1, 100);
	unsigned next = 1;
	int left[4];

	left[0] = left[1] = left[2] = left[3] = times;
	stage_ready("");
	for (int i = 0; i < 4 * times; i++) {
		next = next * 1103515245 + 12345;
		unsigned way = next >> 20 & 3;
		while (left[way] == 0)
			way = (way + 1) & 3;
		left[way]--;
		through = way & 1;
		outer(way & 2 ? 32 : 96);
	}
	printf("done %d\n", 16 * times);
	stage_end();
}
