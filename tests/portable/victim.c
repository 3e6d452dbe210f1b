/*
 * Waits in two threads and uses the CPU in a third one, in functions whose
 * names tests/portable/run looks for.  It ends when its standard input does.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

volatile unsigned long turns;

/* Work after each call keeps it from being a jump. */
__attribute__((noinline)) int
inner_waits(void)
{
	char c;
	const ssize_t n = read(0, &c, 1);

	turns++;
	return ((int)n);
}

__attribute__((noinline)) int
outer_waits(void)
{
	const int n = inner_waits();

	turns++;
	return (n);
}

__attribute__((noinline)) void *
naps(void *arg)
{
	const struct timespec hour = { 3600, 0 };

	for (;;)
		(void)nanosleep(&hour, NULL);
	return (arg);
}

__attribute__((noinline)) void
turns_on(void)
{
	for (int i = 0; i < 1000; i++)
		turns++;
}

__attribute__((noinline)) void *
spins(void *arg)
{
	for (;;)
		turns_on();
	return (arg);
}

int
main(int argc, char **argv)
{
	pthread_t thread;

	/* A program that is begun by another user may be read by him. */
	if (argc > 1 && strcmp(argv[1], "other") == 0) {
		if (setgid(1000) == 0 && setuid(1000) == 0)
			execl(argv[0], argv[0], (char *)NULL);
		return (1);
	}
	if (pthread_create(&thread, NULL, naps, NULL) != 0)
		return (1);
	if (argc > 1 && strcmp(argv[1], "spin") == 0 &&
	    pthread_create(&thread, NULL, spins, NULL) != 0)
		return (1);
	if (write(1, "ready\n", 6) != 6)
		return (1);
	while (outer_waits() > 0)
		;
	_exit(0);
}
