/*
 * Ends with a core.  Its first thread is in functions that are known, and three
 * others wait for a lock.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { threads = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;
static pid_t tids[threads];

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
	*(pid_t *)arg = gettid();
	sem_post(&ready);
	pthread_mutex_lock(&lock);
	return (arg);
}

/* Its system call has the address of the lock as its first argument. */
static void
wait_for_waiter(pid_t tid)
{
	char path[64];
	unsigned long at = 0;

	snprintf(path, sizeof path, "/proc/self/task/%d/syscall", (int)tid);
	while (at != (unsigned long)&lock) {
		FILE *f = fopen(path, "r");

		if (f == NULL || fscanf(f, "%*s %lx", &at) != 1)
			at = 0;
		if (f == NULL)
			_exit(1);
		fclose(f);
		sched_yield();
	}
}

int
main(int argc, char **argv)
{
	pthread_t t;
	int waits = argc > 1 && strcmp(argv[1], "wait") == 0;

	sem_init(&ready, 0, 0);
	pthread_mutex_lock(&lock);
	for (int i = 0; i < threads; i++)
		if (pthread_create(&t, NULL, waits_for_lock,
		    &tids[i]) != 0)
			return (1);
	for (int i = 0; i < threads; i++)
		sem_wait(&ready);
	for (int i = 0; i < threads; i++)
		wait_for_waiter(tids[i]);
	if (waits && write(STDOUT_FILENO, "1", 1) != 1)
		return (1);
	in_between(3, waits);
	return (0);
}
