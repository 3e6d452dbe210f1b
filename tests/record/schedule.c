/*
 * Keeps a schedule and says how it was kept: each line of its output is a
 * place in this program, and when a thread came there and left, in nanoseconds
 * of CLOCK_REALTIME.
 *
 * usage: schedule SECONDS [wait]
 *
 * With "wait" it begins once there is a line on its input.
 *
 * In each second the first thread is asleep in the first function for 0.3 s and
 * in the second one for 0.7 s; the second thread runs for 0.6 s and is asleep
 * for 0.4 s.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define	SECOND	INT64_C(1000000000)

static int64_t first, last;

static int64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

static void
sleep_until(int64_t when)
{
	const struct timespec t = {when / SECOND, when % SECOND};

	while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL) != 0)
		;
}

/* Each place is a function of its own that is on the stack meanwhile. */
__attribute__((noinline)) static int64_t
asleep_in_first(int64_t until)
{
	sleep_until(until);
	return now();
}

__attribute__((noinline)) static int64_t
asleep_in_second(int64_t until)
{
	sleep_until(until);
	return now();
}

__attribute__((noinline)) static int64_t
at_work(int64_t until)
{
	int64_t at;

	while ((at = now()) < until)
		;
	return at;
}

__attribute__((noinline)) static int64_t
at_rest(int64_t until)
{
	sleep_until(until);
	return now();
}

typedef int64_t place(int64_t);

static void
keep(place *a, const char *name_a, int64_t share, place *b, const char *name_b)
{
	int64_t at = first, next;

	sleep_until(first);
	for (int64_t second = first; second < last; second += SECOND) {
		next = a(second + share);
		printf("%s %lld %lld\n", name_a, (long long)at,
		    (long long)next);
		at = b(second + SECOND);
		printf("%s %lld %lld\n", name_b, (long long)next,
		    (long long)at);
	}
}

static void *
sleeper(void *arg)
{
	keep(asleep_in_first, "asleep_in_first", SECOND * 3 / 10,
	    asleep_in_second, "asleep_in_second");
	return arg;
}

static void *
worker(void *arg)
{
	keep(at_work, "at_work", SECOND * 6 / 10, at_rest, "at_rest");
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t a, b;
	int c;

	if (argc != 2 && (argc != 3 || strcmp(argv[2], "wait") != 0))
		return 64;
	while (argc == 3 && (c = getchar()) != '\n')
		if (c == EOF)
			return 1;
	first = (now() / SECOND + 2) * SECOND;
	last = first + atoi(argv[1]) * SECOND;
	if (pthread_create(&a, NULL, sleeper, NULL) != 0 ||
	    pthread_create(&b, NULL, worker, NULL) != 0)
		return 1;
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
