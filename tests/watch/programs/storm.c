/*
 * Runs two threads, on the first and the second CPU, that each go all ways of
 * programs/tree.c, as often as tree.h says (storm DIRECTORY PATHS).  Meanwhile
 * a third one loads plug_first.so and plug_second.so in turn, each where the
 * other one was, and calls both; a fourth one sends signals to the two, and
 * their handler makes the same system call; a fifth one makes children, by
 * fork(2) and by vfork(2) and execve(2).  They make it as well, in born() and
 * in reborn().  It prints how often the call was made in the libraries, in the
 * handler, in born() and in reborn(), and how often the second library was
 * where the first one had been.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <sys/wait.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "outermost.h"
#include "stage.h"
#include "stay_on.h"
#include "ways.h"

void handler(int), born(void), reborn(void);

static const char *directory, *self;
static unsigned paths;
static atomic_int going = 2;
static atomic_long handled, plugged, forked, executed, same;
static pthread_t climbers[2];

void
handler(int number)
{
	(void)number;
	syscall(SYS_getppid);
	handled++;
}

void
born(void)
{
	syscall(SYS_getppid);
	KEPT;
}

void
reborn(void)
{
	syscall(SYS_getppid);
	KEPT;
}

static void *
climb(void *cpu)
{
	stay_on(*(int *)cpu);
	for (unsigned least = 0; least < tree_visits; least++) {
		unsigned way = 0;

		for (int i = 0; i < tree_paths; i++) {
			way = next_way(way);
			if (way < paths && tree_truth(way) > least)
				walk(way);
		}
	}
	going--;
	return (NULL);
}

static void
rest(void)
{
	const struct timespec some = { 0, 200000 };

	nanosleep(&some, NULL);
}

static void *
plug(const char *name)
{
	char file[4096];
	void (*function)(void *), *library;

	snprintf(file, sizeof(file), "%s/plug_%s.so", directory, name);
	library = dlopen(file, RTLD_NOW);
	if (library == NULL)
		exit(2);
	function = (void (*)(void *))dlsym(library, name);
	function(outermost_frame());
	plugged++;
	dlclose(library);
	return ((void *)function);
}

static void *
plugs(void *unused)
{
	while (going > 0) {
		void *const first = plug("first");

		rest();
		same += first == plug("second");
		rest();
	}
	return (unused);
}

static void *
signals(void *unused)
{
	/* The threads are joined after this one: their ids stay theirs. */
	for (int i = 0; going > 0; i++) {
		pthread_kill(climbers[i % 2], SIGUSR1);
		rest();
	}
	return (unused);
}

static void *
births(void *unused)
{
	char *const words[] = { (char *)self, "reborn", NULL };

	while (going > 0) {
		pid_t child = fork();

		if (child == 0) {
			born();
			_exit(0);
		}
		waitpid(child, NULL, 0);
		forked++;
		child = vfork();
		if (child == 0) {
			execv(self, words);
			_exit(1);
		}
		waitpid(child, NULL, 0);
		executed++;
	}
	return (unused);
}

int
main(int argc, char **argv)
{
	static int cpus[2] = { 0, 1 };
	void *(*const beside[])(void *) = { plugs, signals, births };
	struct sigaction act;
	pthread_t others[3];

	self = argv[0];
	if (argc == 2 && strcmp(argv[1], "reborn") == 0) {
		reborn();
		return (0);
	}
	directory = argv[1];
	paths = stage_number(argc, argv, 2, 1000);
	memset(&act, 0, sizeof(act));
	act.sa_handler = handler;
	act.sa_flags = SA_RESTART;
	sigaction(SIGUSR1, &act, NULL);
	stage_ready("");
	for (int i = 0; i < 2; i++)
		pthread_create(&climbers[i], NULL, climb, &cpus[i]);
	for (int i = 0; i < 3; i++)
		pthread_create(&others[i], NULL, beside[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(others[i], NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(climbers[i], NULL);
	printf("done %ld %ld %ld %ld %ld\n", plugged, handled, forked, executed,
	    same);
	stage_end();
}
