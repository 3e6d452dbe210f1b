/*
 * Has what all programs need that pretend to have a runtime: system calls in
 * its loop, addresses as words, and answers to the lines of the input.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_PRETENDED_H
#define STACK9_PRETENDED_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define	CALLS	1000

/* Inlined, so that the calls are made by the loop itself. */
static inline __attribute__((always_inline)) int
make_calls(int calls)
{
	int sum = 0;

	/* 0: the session is of another pid namespace. */
	for (int i = 0; i < calls; i++)
		sum += getsid(0) >= 0;
	return sum;
}

static inline uint64_t
at(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

/* Has each line of the input done, and answers "end". */
static inline int
answer_lines(int (*run)(int calls), void (*other)(const char *line))
{
	char line[64];

	while (fgets(line, sizeof line, stdin) != NULL) {
		if (strncmp(line, "run", 3) == 0) {
			if (run(CALLS) != CALLS)
				return 1;
		} else if (other != NULL) {
			other(line);
		}
		printf("end\n");
		fflush(stdout);
	}
	return 0;
}

#endif /* STACK9_PRETENDED_H */
