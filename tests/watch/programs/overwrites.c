/*
 * Loads a copy of over_early.so and calls its function CALLS times; then it
 * waits for another byte, writes over_later.so over the copy, in its place, and
 * calls the function that is there now as often (overwrites DIRECTORY FILE
 * CALLS).
 * Nothing is mapped meanwhile.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>

#include "stage.h"

static char room[1 << 20];

static void
put(const char *directory, const char *name, const char *file)
{
	char path[4096];
	ssize_t n;
	int from, to;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	from = open(path, O_RDONLY);
	to = open(file, O_WRONLY | O_CREAT, 0700);
	n = read(from, room, sizeof(room));
	if (n <= 0 || write(to, room, (size_t)n) != n)
		exit(2);
	close(from);
	close(to);
}

static void
call(void (*function)(void *), long calls)
{
	for (long n = 0; n < calls; n++)
		function(NULL);
	asm volatile("" ::: "memory");
}

int
main(int argc, char **argv)
{
	const long calls = stage_number(argc, argv, 3, 1000);
	void (*function)(void *), *library;

	put(argv[1], "over_early.so", argv[2]);
	library = dlopen(argv[2], RTLD_NOW);
	if (library == NULL)
		exit(2);
	function = (void (*)(void *))dlsym(library, "early_code");
	stage_ready("");
	call(function, calls);
	stage_wait();
	put(argv[1], "over_later.so", argv[2]);
	call(function, calls);
	printf("done %ld\n", calls);
	stage_end();
}
