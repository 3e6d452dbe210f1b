/*
 * Prints the stacks of all threads of a process: captures first, in
 * microseconds, and names the addresses afterwards, even if the process has
 * ended by then.
 *
 *	dump [pid]
 *
 * Without pid, it captures a child of its own, and kills the child before it
 * names the addresses.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stack9.h>

#define	MOST	1024

struct kept {
	struct stack9_sample *samples[MOST];
	int		count;
};

static int
keep(void *arg, const struct stack9_sample *sample)
{
	struct kept *k = arg;

	k->samples[k->count] = stack9_sample_hold(sample);
	return (k->samples[k->count] == NULL || ++k->count == MOST);
}

int
main(int argc, char **argv)
{
	static struct kept all;
	struct stack9_thread process;
	pid_t child = 0;
	int error;

	if (argc < 2 && (child = fork()) == 0) {
		raise(SIGSTOP);
		_exit(0);
	}
	if (child > 0)
		waitpid(child, NULL, WUNTRACED);	/* it has stopped */
	error = stack9_thread_find(child > 0 ? child : atoi(argv[1]), &process);
	if (error == 0)
		error = stack9_each(&process, STACK9_BOTH, NULL, keep, &all);
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	if (error != 0)
		fprintf(stderr, "dump: %s\n", stack9_reason());
	for (int i = 0; i < all.count; i++) {
		stack9_print(all.samples[i], 0, NULL, NULL);
		stack9_sample_close(all.samples[i]);
	}
	return (error == 0 ? 0 : 1);
}
