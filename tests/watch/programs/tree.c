/*
 * Makes system calls in marker() from PATHS distinct stacks, 16 levels deep,
 * each as often as tree.h says and in no order (tree PATHS).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "stage.h"
#include "ways.h"

static unsigned long
pass(unsigned least, unsigned paths)
{
	unsigned long events = 0;
	unsigned way = 0;

	for (int i = 0; i < tree_paths; i++) {
		way = next_way(way);
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
