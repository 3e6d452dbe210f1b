/*
 * Makes TIMES threads, one after the other, each of which ends at once (births
 * TIMES).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <pthread.h>

#include "stage.h"

void give_birth(void);

static void *
end_at_once(void *arg)
{
	return (arg);
}

void
give_birth(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, end_at_once, NULL) != 0)
		exit(1);
	pthread_join(t, NULL);
}

int
main(int argc, char **argv)
{
	const long times = stage_number(argc, argv, 1, 100);

	stage_ready("");
	for (long i = 0; i < times; i++)
		give_birth();
	printf("done %ld\n", times);
	stage_end();
}
