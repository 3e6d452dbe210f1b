/*
 * Loads plug_first.so and plug_second.so in turn, TIMES times, each where the
 * other one was, calls the function of each CALLS times and unloads it (plugs
 * DIRECTORY TIMES CALLS).  Between them it makes the same call in a signal
 * handler, on an alternate stack and on this one, and in a child.  It prints
 * how often the second library was where the first one had been.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/wait.h>
#include <dlfcn.h>
#include <signal.h>
#include <string.h>

#include "stage.h"

#include "outermost.h"

void handler(int), interrupted(int);

void
handler(int number)
{
	(void)number;
	syscall(SYS_getppid);
	asm volatile("" ::: "memory");
}

void
interrupted(int number)
{
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
	asm volatile("" ::: "memory");
}

static void *
plug(const char *directory, const char *name, long calls)
{
	char path[4096];
	void (*function)(void *), *library;

	snprintf(path, sizeof(path), "%s/plug_%s.so", directory, name);
	library = dlopen(path, RTLD_NOW);
	if (library == NULL)
		exit(2);
	function = (void (*)(void *))dlsym(library, name);
	for (long i = 0; i < calls; i++)
		function(outermost_frame());
	dlclose(library);
	return ((void *)function);
}

static void
bear(void)
{
	const pid_t child = fork();

	if (child == 0) {
		handler(0);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

int
main(int argc, char **argv)
{
	static char room[65536];
	const stack_t other = {.ss_sp = room, .ss_size = sizeof(room)};
	struct sigaction act;
	const long times = stage_number(argc, argv, 2, 10);
	const long calls = stage_number(argc, argv, 3, 3);
	long same = 0;

	memset(&act, 0, sizeof(act));
	act.sa_handler = handler;
	sigaction(SIGUSR1, &act, NULL);
	act.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR2, &act, NULL);
	sigaltstack(&other, NULL);
	stage_ready("");
	for (long i = 0; i < times; i++) {
		void *first = plug(argv[1], "first", calls);

		interrupted(SIGUSR1);
		interrupted(SIGUSR2);
		same += first == plug(argv[1], "second",
		    calls);
		bear();
	}
	printf("done %ld\n", same);
	stage_end();
}
