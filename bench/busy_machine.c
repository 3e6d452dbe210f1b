// Plays a machine that builds: threads that fight for a lock, others that wake
// now and then, and processes that are born and end.
//
// usage: busy_machine SECONDS
//
// SPDX-License-Identifier: BSD-2-Clause
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { fighters = 25, sleepers = 200, builders = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
rest(long us)
{
	const struct timespec t = {us / 1000000, us % 1000000 * 1000};
	nanosleep(&t, NULL);
}

static void *
fight(void *arg)
{
	(void)arg;
	for (;;) {
		pthread_mutex_lock(&lock);
		rest(1000);
		pthread_mutex_unlock(&lock);
	}
}

static void *
wake(void *arg)
{
	unsigned int seed = (unsigned int)(size_t)arg;
	for (;;)
		rest(100000 + rand_r(&seed) % 2000000);
}

// A compiler is a shell, a driver, and what that starts.
static void
build(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		if (system("sh -c 'cat /proc/self/maps | wc -l' > /dev/null") !=
		    0)
			_exit(1);
}

int
main(int argc, char **argv)
{
	pthread_t id;
	pid_t all[builders];
	for (int i = 0; i < builders; i++)
		if ((all[i] = fork()) == 0)
			build();
	for (size_t i = 0; i < fighters; i++)
		pthread_create(&id, NULL, fight, NULL);
	for (size_t i = 0; i < sleepers; i++)
		pthread_create(&id, NULL, wake, (void *)i);
	sleep(argc > 1 ? (unsigned int)atoi(argv[1]) : 10);
	for (int i = 0; i < builders; i++) {
		kill(all[i], SIGKILL);
		waitpid(all[i], NULL, 0);
	}
	return 0;
}
