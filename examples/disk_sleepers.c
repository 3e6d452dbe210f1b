/*
 * Prints all threads of the machine, or of one process, that sleep and cannot
 * be woken (state D), for how long, and their stacks: what waits for a disk, a
 * network file system or a lock of the kernel.
 *
 *	disk_sleepers [pid]
 *
 * The exit status is 77 if this user may not.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <stack9.h>

static int
print(void *arg, const struct stack9_sample *sample)
{
	unsigned int *found = arg;

	++*found;
	printf("for %.1f s at least:\n", (double)sample->since_ns / 1e9);
	stack9_print(sample, 0, NULL, NULL);
	return (0);
}

int
main(int argc, char **argv)
{
	struct stack9_save_options options = { .size = sizeof options,
	    .flags = STACK9_SAVE_NO_STOP | STACK9_SAVE_SINCE, .states = "D" };
	struct stack9_thread td, *of = NULL;
	unsigned int found = 0;
	int error = 0;

	if (argc > 1) {
		error = stack9_thread_find(atoi(argv[1]), &td);
		of = &td;
	}
	if (error == 0)
		error = stack9_each(of, STACK9_BOTH, &options, print, &found);
	if (error != 0) {
		fprintf(stderr, "disk_sleepers: %s\n", stack9_reason());
		return (error == EPERM || error == EOPNOTSUPP ? 77 : 1);
	}
	printf("%u threads\n", found);
	return (0);
}
