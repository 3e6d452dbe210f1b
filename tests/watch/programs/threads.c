/*
 * Runs three threads, named t-one, t-two and t-three, that each make a system
 * call in a function of their own: the first TIMES times, the second twice as
 * often, the third three times as often (threads TIMES).  It prints their ids
 * when it is ready; they have ended when it is done.  They stay on the first,
 * the second and the first CPU.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>

#include "stage.h"
#include "stay_on.h"

void call(void), one(long), two(long), three(long);

struct caller {
	void		(*calls)(long);
	const char	 *name;
	int		  cpu;
	pthread_t	  thread;
	pid_t		  tid;
};

static long times;
static pthread_barrier_t named, begin;

void
call(void)
{
	syscall(SYS_getppid);
	asm volatile("" ::: "memory");
}

#define	CALLS(name, factor)				\
void							\
name(long n)						\
{							\
	for (long i = 0; i < (factor) * n; i++)		\
		call();					\
	asm volatile("" ::: "memory");			\
}

CALLS(one, 1)
CALLS(two, 2)
CALLS(three, 3)

static void *
calls(void *arg)
{
	struct caller *const c = arg;

	prctl(PR_SET_NAME, c->name);
	stay_on(c->cpu);
	c->tid = syscall(SYS_gettid);
	pthread_barrier_wait(&named);
	pthread_barrier_wait(&begin);
	c->calls(times);
	return (NULL);
}

int
main(int argc, char **argv)
{
	struct caller all[] = {
		{ .calls = one, .name = "t-one", .cpu = 0 },
		{ .calls = two, .name = "t-two", .cpu = 1 },
		{ .calls = three, .name = "t-three", .cpu = 0 },
	};
	char tids[64];

	times = stage_number(argc, argv, 1, 1000);
	pthread_barrier_init(&named, NULL, 4);
	pthread_barrier_init(&begin, NULL, 4);
	for (int i = 0; i < 3; i++)
		pthread_create(&all[i].thread, NULL, calls, &all[i]);
	pthread_barrier_wait(&named);
	snprintf(tids, sizeof tids, "%d %d %d", all[0].tid, all[1].tid,
	    all[2].tid);
	stage_ready(tids);
	pthread_barrier_wait(&begin);
	for (int i = 0; i < 3; i++)
		pthread_join(all[i].thread, NULL);
	printf("done %ld\n", 6 * times);
	stage_end();
}
