/*
 * Makes system calls in marker() from PATHS distinct stacks, 16 levels deep,
 * each as often as tree.h says and in no order (tree PATHS).  From the
 * outermost frame inwards, level i is b() if bit i of the path is set, else
 * a().
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/syscall.h>

#include "stage.h"
#include "tree.h"

#define	KEPT	asm volatile("" ::: "memory")	/* no tail call */

static unsigned path;

void marker(void), bottom(void), a(int level), b(int level);

void
marker(void)
{
	syscall(SYS_getppid);
	KEPT;
}

/* A walk by frame pointers from a function's first instruction, or from libc,
 * may miss one caller: this one. */
void
bottom(void)
{
	marker();
	KEPT;
}

#define	TURN(name)			\
void					\
name(int level)				\
{					\
	if (level == tree_levels)	\
		bottom();		\
	else if (path >> level & 1)	\
		b(level + 1);		\
	else				\
		a(level + 1);		\
	KEPT;				\
}

TURN(a)
TURN(b)

static void
walk(unsigned way)
{
	path = way;
	if (way & 1)
		b(1);
	else
		a(1);
	KEPT;
}

/* Gives every number below 65536 once; neighbours are far apart. */
static unsigned long
pass(unsigned least, unsigned paths)
{
	unsigned long events = 0;
	unsigned way = 0;

	for (int i = 0; i < tree_paths; i++) {
		way = (way * 40501 + 12345) % tree_paths;
		if (way >= paths || tree_truth(way) <= least)
			continue;
		walk(way);
		events++;
	}
	return (events);
}

int
main(int argc, char **argv)
{
	const unsigned paths = stage_number(argc, argv, 1, tree_paths);
	unsigned long events = 0;

	stage_ready("");
	const long long begin = stage_ns(CLOCK_MONOTONIC);
	for (unsigned least = 0; least < tree_visits; least++)
		events += pass(least, paths);
	printf("done %lu %lld\n", events, stage_ns(CLOCK_MONOTONIC) - begin);
	stage_end();
}
