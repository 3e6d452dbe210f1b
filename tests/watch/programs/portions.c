/*
 * Uses a quarter of its CPU time in one function and the rest in another one,
 * and prints both in milliseconds.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "stage.h"

static volatile unsigned long sink;

static long long
spin(long long ns)
{
	const long long begin = stage_ns(CLOCK_THREAD_CPUTIME_ID);
	long long now;

	do {
		for (int i = 0; i < 2000; i++)
			sink += i;
		now = stage_ns(CLOCK_THREAD_CPUTIME_ID);
	} while (now - begin < ns);
	return (now - begin);
}

__attribute__((noinline)) static long long
quarter(long long ns)
{
	return (spin(ns) + 0 * sink);
}

__attribute__((noinline)) static long long
most(long long ns)
{
	return (spin(3 * ns) + 0 * sink);
}

int
main(int argc, char **argv)
{
	const long long whole = stage_number(argc, argv, 1, 1000) * 1000000LL;
	const long long part = 1000000;
	long long few = 0, many = 0;

	while (few + many < whole) {
		few += quarter(part);
		many += most(part);
	}
	printf("%lld %lld\n", few / 1000000, many / 1000000);
	return (0);
}
