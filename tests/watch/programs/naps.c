/*
 * Lets three threads sleep in doze(), nap() and rest() for 5, 20 and 50 ms at a
 * time (naps [TIMES]).  It prints how many nanoseconds each was asleep in all,
 * and how often; last, how many naps took 45 ms at most.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <pthread.h>
#include <sys/syscall.h>

#include "stage.h"

void sleep_ms(long ms), doze(void), nap(void), rest(void);

struct sleeper {
	void		(*once)(void);
	long		  times;
	long long	  away;
	long		  in_time;
	pthread_t	  thread;
};

static pthread_barrier_t begin;

void
sleep_ms(long ms)
{
	const struct timespec t = {0, ms * 1000000};

	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &t, NULL);
	asm volatile("" ::: "memory");
}

#define	SLEEPS(name, ms)			\
void						\
name(void)					\
{						\
	sleep_ms(ms);				\
	asm volatile("" ::: "memory");		\
}

SLEEPS(doze, 5)
SLEEPS(nap, 20)
SLEEPS(rest, 50)

static void *
sleeps(void *arg)
{
	struct sleeper *const s = arg;

	pthread_barrier_wait(&begin);
	for (long i = 0; i < s->times; i++) {
		const long long from = stage_ns(CLOCK_MONOTONIC);

		s->once();
		const long long took = stage_ns(CLOCK_MONOTONIC) - from;
		s->away += took;
		s->in_time += took <= 45000000;
	}
	return (NULL);
}

int
main(int argc, char **argv)
{
	const long times = stage_number(argc, argv, 1, 200);
	struct sleeper all[] = {
		{ .once = doze, .times = times },
		{ .once = nap, .times = times / 2 },
		{ .once = rest, .times = times / 10 },
	};

	pthread_barrier_init(&begin, NULL, 4);
	for (int i = 0; i < 3; i++)
		pthread_create(&all[i].thread, NULL, sleeps, &all[i]);
	stage_ready("");
	pthread_barrier_wait(&begin);
	for (int i = 0; i < 3; i++)
		pthread_join(all[i].thread, NULL);
	printf("done");
	for (int i = 0; i < 3; i++)
		printf(" %lld %ld", all[i].away, all[i].times);
	printf(" %ld\n", all[1].in_time);
	stage_end();
}
