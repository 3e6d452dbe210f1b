/*
 * Spends MILLISECONDS of CPU time, 3 parts in f() and 7 in g(), in turns (spins
 * MILLISECONDS).  It prints how many nanoseconds each was.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "stage.h"

long long f(long long ns), g(long long ns), burn(long long ns);

long long
burn(long long ns)
{
	const long long begin = stage_ns(CLOCK_THREAD_CPUTIME_ID);
	long long now;

	do {
		for (volatile int i = 0; i < 2000; i++)
			;
		now = stage_ns(CLOCK_THREAD_CPUTIME_ID);
	} while (now - begin < ns);
	return (now - begin);
}

long long
f(long long ns)
{
	const long long took = burn(ns);

	asm volatile("" ::: "memory");
	return (took);
}

long long
g(long long ns)
{
	const long long took = burn(ns);

	asm volatile("" ::: "memory");
	return (took);
}

int
main(int argc, char **argv)
{
	const long turns = stage_number(argc, argv, 1, 5000) / 10;
	long long in_f = 0, in_g = 0;

	stage_ready("");
	for (long i = 0; i < turns; i++) {
		in_f += f(3000000);
		in_g += g(7000000);
	}
	printf("done %lld %lld\n", in_f, in_g);
	stage_end();
}
