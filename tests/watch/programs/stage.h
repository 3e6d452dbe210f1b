/*
 * Lets programs wait until they may begin and print what they did.  A program
 * prints "ready" and waits for a byte from the watching test.  It does its
 * work, prints "done" with the truth about it, and exits at the end of the
 * input.  A program without input does not wait.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STAGE_H
#define STAGE_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static inline void
stage_wait(void)
{
	char byte;

	if (read(0, &byte, 1) < 0)
		exit(1);
}

/* more: numbers, or "". */
static inline void
stage_ready(const char *more)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("ready %s\n", more);
	stage_wait();
}

static inline void
stage_end(void)
{
	char byte;

	while (read(0, &byte, 1) > 0)
		;
	exit(0);
}

static inline long long
stage_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (t.tv_sec * 1000000000LL + t.tv_nsec);
}

static inline long
stage_number(int argc, char **argv, int i, long usual)
{
	return (argc > i ? atol(argv[i]) : usual);
}

#endif
