/*
 * Makes threads that call functions by plans of their own, and wait.  Prints
 * "thread TID" and the functions of each, the innermost first.
 *
 * Arguments: a seed, and the number of threads.  With a third one each thread
 * waits in a signal's handler, on a stack of its own.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kinds = 4, deepest = 40, most = 64 };

struct plan {
	int	calls[deepest], depth, at;
	pid_t	tid;
};

static pthread_barrier_t all_wait;
static struct plan plans[most];
static int in_handler;

__attribute__((noinline)) static void go(struct plan *);

/* Each has a frame of another kind; the asm keeps tail calls away. */
__attribute__((noinline)) void
plan_small(struct plan *p)
{
	go(p);
	__asm__ volatile("");
}

__attribute__((noinline)) void
plan_large(struct plan *p)
{
	volatile char room[3000];

	room[0] = 1;
	go(p);
	room[1] = room[0];
}

__attribute__((noinline)) void
plan_growing(struct plan *p)
{
	volatile char *room = __builtin_alloca((size_t)p->at * 16 + 16);

	room[0] = 1;
	go(p);
	room[1] = room[0];
}

__attribute__((noinline)) void
plan_aligned(struct plan *p)
{
	_Alignas(64) volatile char room[64];

	room[0] = 1;
	go(p);
	room[1] = room[0];
}

static void
wait_for_ever(void)
{
	pthread_barrier_wait(&all_wait);
	pause();
}

__attribute__((noinline)) void
plan_handler(int signal)
{
	(void)signal;
	wait_for_ever();
	__asm__ volatile("");
}

static void
wait_in_handler(void)
{
	static struct sigaction how;
	const stack_t other = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};

	how.sa_handler = plan_handler;
	how.sa_flags = SA_ONSTACK;
	if (sigaltstack(&other, NULL) == 0 &&
	    sigaction(SIGUSR1, &how, NULL) == 0)
		pthread_kill(pthread_self(), SIGUSR1);
}

static void
go(struct plan *p)
{
	static void (*const all[kinds])(struct plan *) = {plan_small,
	    plan_large, plan_growing, plan_aligned};

	if (p->at < p->depth) {
		all[p->calls[p->at++]](p);
	} else if (in_handler) {
		wait_in_handler();
	} else {
		wait_for_ever();
	}
	__asm__ volatile("");
}

static void *
run(void *arg)
{
	struct plan *p = arg;

	p->tid = gettid();
	go(p);
	return (arg);
}

int
main(int argc, char **argv)
{
	static const char *const names[kinds] = {"small", "large", "growing",
	    "aligned"};
	int threads = argc > 2 ? atoi(argv[2]) : 1;
	pthread_t t;

	in_handler = argc > 3;
	srand(argc > 1 ? (unsigned)atoi(argv[1]) : 1);
	if (threads > most)
		return (1);
	pthread_barrier_init(&all_wait, NULL, (unsigned)threads + 1);
	for (int i = 0; i < threads; i++) {
		plans[i].depth = 1 + rand() % deepest;
		for (int n = 0; n < plans[i].depth; n++)
			plans[i].calls[n] = rand() % kinds;
		if (pthread_create(&t, NULL, run, &plans[i]) != 0)
			return (1);
	}
	pthread_barrier_wait(&all_wait);
	for (int i = 0; i < threads; i++) {
		printf("thread %d\n", (int)plans[i].tid);
		if (in_handler)
			puts("plan_handler\t\t0");
		for (int n = plans[i].depth; n-- > 0;)
			printf("plan_%s\t\t0\n", names[plans[i].calls[n]]);
	}
	puts("end");
	fflush(stdout);
	getchar();
	return (0);
}
