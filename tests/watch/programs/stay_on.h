/*
 * Keeps the calling thread on one CPU.  It needs _GNU_SOURCE.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_TESTS_STAY_ON_H
#define STACK9_TESTS_STAY_ON_H

#include <sched.h>

static void
stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof set, &set);	/* there may be only one */
}

#endif /* STACK9_TESTS_STAY_ON_H */
