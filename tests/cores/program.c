/*
 * Ends with a core.  Its first thread is in functions that are known, and three
 * others wait for a lock.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { threads = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;

__attribute__((noinline)) void
innermost(volatile int *at)
{
	*at = 1;
}

/* The asm keeps a tail call away. */
__attribute__((noinline)) void
in_between(int n, int waits)
{
	if (n > 0)
		in_between(n - 1, waits);
	else if (waits)
		pause();
	else
		innermost((volatile int *)0x10);
	__asm__ volatile("");
}

__attribute__((noinline)) void *
waits_for_lock(void *arg)
{
	sem_post(&ready);
	pthread_mutex_lock(&lock);
	return (arg);
}

int
main(int argc, char **argv)
{
	pthread_t t;
	int waits = argc > 1 && strcmp(argv[1], "wait") == 0;

	sem_init(&ready, 0, 0);
	pthread_mutex_lock(&lock);
	for (int i = 0; i < threads; i++)
		if (pthread_create(&t, NULL, waits_for_lock, NULL) != 0)
			return (1);
	for (int i = 0; i < threads; i++)
		sem_wait(&ready);
	if (waits && write(STDOUT_FILENO, "1", 1) != 1)
		return (1);
	in_between(3, waits);
	return (0);
}
