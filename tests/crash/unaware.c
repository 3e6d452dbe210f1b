/*
 * Crashes as its argument says, and knows nothing of stack9.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile int *nowhere = (volatile int *)0x10;

static void
say(const char *text)
{
	if (write(STDOUT_FILENO, text, strlen(text)) < 0)
		_exit(9);
}

__attribute__((noinline)) int
reads_nowhere(void)
{
	return (*nowhere);
}

__attribute__((noinline)) int
overflows(int n)
{
	volatile char room[512];

	room[n % 512] = (char)n;
	return (overflows(n + 1) + room[0]);
}

static void *
overflowing_thread(void *arg)
{
	overflows(0);
	return (arg);
}

static int
overflowing_c11(void *arg)
{
	(void)arg;
	return (overflows(0));
}

static void
recovers(int signo)
{
	(void)signo;
	say("handled\n");
	siglongjmp(back, 1);
}

/* Many programs say a word and then end as they would have. */
static void
ends_by_default(int signo)
{
	say("own handler\n");
	signal(signo, SIG_DFL);
	raise(signo);
}

static int
is_default(int signo)
{
	struct sigaction was;

	return (sigaction(signo, NULL, &was) == 0 &&
	    was.sa_handler == SIG_DFL);
}

static void *
ends_soon(void *arg)
{
	return (arg);
}

/* Stacks that were not given back would fill the address space. */
static void
run_threads(int n)
{
	pthread_t t;

	while (n-- > 0) {
		if (pthread_create(&t, NULL, ends_soon, NULL) != 0) {
			say("no thread\n");
			exit(3);
		}
		pthread_join(t, NULL);
	}
}

static void
count_mappings(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	int c, n = 0;

	while (f != NULL && (c = getc(f)) != EOF)
		n += c == '\n';
	printf("%d mappings\n", n);
	fflush(stdout);
}

static void
run(const char *mode)
{
	pthread_t t;
	thrd_t c11;

	if (strcmp(mode, "null") == 0)
		reads_nowhere();
	else if (strcmp(mode, "abort") == 0)
		abort();
	else if (strcmp(mode, "blocked") == 0) {
		sigset_t all;

		sigfillset(&all);
		pthread_sigmask(SIG_BLOCK, &all, NULL);
		abort();
	} else if (strcmp(mode, "overflow") == 0)
		overflows(0);
	else if (strcmp(mode, "thread") == 0) {
		pthread_create(&t, NULL, overflowing_thread, NULL);
		pthread_join(t, NULL);
	} else if (strcmp(mode, "c11") == 0) {
		thrd_create(&c11, overflowing_c11, NULL);
		thrd_join(c11, NULL);
	} else if (strcmp(mode, "recovers") == 0) {
		say(is_default(SIGSEGV) ? "default\n" : "not default\n");
		signal(SIGSEGV, recovers);
		for (volatile int i = 0; i < 3; i++)
			if (sigsetjmp(back, 1) == 0)
				reads_nowhere();
		say("went on\n");
	} else if (strcmp(mode, "own") == 0) {
		signal(SIGSEGV, ends_by_default);
		say(is_default(SIGSEGV) ? "default\n" : "its own\n");
		reads_nowhere();
	} else if (strcmp(mode, "threads") == 0) {
		run_threads(1);
		count_mappings();
		run_threads(1000);
		count_mappings();
	} else if (strcmp(mode, "closed") == 0) {
		for (int fd = 0; fd < 64; fd++)
			close(fd);
		reads_nowhere();
	}
}

int
main(int argc, char **argv)
{
	if (argc > 1)
		run(argv[1]);
	__asm__ volatile("");
	return (0);
}
