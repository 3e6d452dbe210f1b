/*
 * Runs two threads, each on a CPU, that make system calls in runs: a run is
 * made from one stack of 1 to LEVELS frames of level() (runs LEVELS ROUNDS
 * [PROCESSES]).  In a round each thread makes a run from each of these stacks,
 * in no order.  The run from N frames has N calls.  Each of the PROCESSES (1)
 * does all of this; their addresses are equal.  At the end it prints the number
 * of calls and the pids of the others.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "stage.h"
#include "stay_on.h"

#define	KEPT	asm volatile("" : : : "memory")	/* no tail call */

void run(long), level(int, long);

static int levels;
static long rounds;
static pthread_barrier_t begin;

void
run(long times)
{
	for (long i = 0; i < times; i++)
		syscall(SYS_getppid);
	KEPT;
}

void
level(int left, long times)
{
	if (left > 1)
		level(left - 1, times);
	else
		run(times);
	KEPT;
}

static void *
runs(void *arg)
{
	stay_on(*(int *)arg);
	pthread_barrier_wait(&begin);
	/* 7919 has no factor in common with fewer levels. */
	for (long round = 0; round < rounds; round++)
		for (int i = 0; i < levels; i++) {
			const int n = (int)((i * 7919L + round) % levels) + 1;

			level(n, n);
		}
	return (NULL);
}

static void
both_run(void)
{
	int cpus[] = { 0, 1 };
	pthread_t threads[2];

	pthread_barrier_init(&begin, NULL, 2);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, runs, &cpus[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

int
main(int argc, char **argv)
{
	long processes;

	levels = (int)stage_number(argc, argv, 1, 100);
	rounds = stage_number(argc, argv, 2, 100);
	processes = stage_number(argc, argv, 3, 1);
	if (nice(10) == -1)	/* the reader of the events comes first */
		return (1);
	stage_ready("");
	for (long i = 1; i < processes; i++)
		if (fork() == 0) {
			both_run();
			_exit(0);
		}
	both_run();
	printf("done %ld", processes * rounds * levels * (levels + 1));
	for (pid_t child; (child = wait(NULL)) > 0;)
		printf(" %d", child);
	printf("\n");
	stage_end();
}
