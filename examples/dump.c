/*
 * Prints the stacks of all threads of a process: captures first, which takes
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
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stack9.h>

struct kept {
	struct kept *next;
	struct stack9_record rec;
	uintptr_t pcs[256];
};

static int
keep(void *arg, const struct stack9_record *rec)
{
	struct kept ***end = arg, *k = calloc(1, sizeof(*k));

	if (k == NULL)
		return (1);
	k->rec = *rec;
	if (k->rec.depth > 256 || (rec->flags & STACK9_TEXT))
		k->rec.depth = 0;
	memcpy(k->pcs, rec->pcs, k->rec.depth * sizeof(k->pcs[0]));
	stack9_space_hold(k->rec.space);	/* else freed after the pass */
	**end = k;
	*end = &k->next;
	return (0);
}

static void
print(const struct kept *k)
{
	struct stack9_symbol sym;
	char name[256];
	uint32_t i;

	printf("%s, tid %d, %s: %s\n", k->rec.comm, k->rec.thread.tid,
	    k->rec.side == STACK9_USER ? "user" : "kernel",
	    k->rec.reason ? k->rec.reason : stack9_why_text(k->rec.why));
	for (i = 0; i < k->rec.depth; i++) {
		unsigned int how = i == 0 &&
		    (k->rec.flags & STACK9_EXACT_FIRST) ?
		    0 : STACK9_RETURN_ADDRESS;
		int error = k->rec.side == STACK9_USER ?
		    stack9_space_name(k->rec.space, k->pcs[i], how, &sym) :
		    stack9_name(k->pcs[i], how, &sym);

		if (error != 0) {
			printf("  %#lx\n", (unsigned long)k->pcs[i]);
			continue;
		}
		stack9_demangle(sym.name, name, sizeof(name));
		printf("  %s+%#lx\n", name, (unsigned long)sym.offset);
	}
}

int
main(int argc, char **argv)
{
	struct kept *first = NULL, **end = &first;
	pid_t child = 0, pid;
	int error, gate[2];

	if (argc < 2 && (pipe(gate) != 0 || (child = fork()) == 0)) {
		close(gate[0]);
		write(gate[1], "", 1);
		for (;;)
			pause();
	}
	if (child > 0)
		read(gate[0], &error, 1);	/* the child runs */
	pid = child > 0 ? child : atoi(argv[1]);
	error = stack9_each(STACK9_BOTH, pid, keep, &end);
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	if (error != 0) {
		fprintf(stderr, "pid %d: %s\n", pid, strerror(error));
		return (1);
	}
	for (; first != NULL; first = first->next)
		print(first);
	return (0);
}
