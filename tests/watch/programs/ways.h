/*
 * Makes system calls in marker(), at the end of one of the ways of tree.h.
 * From the outermost frame inwards, level i is b() if bit i of the way is set,
 * otherwise a().
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef WAYS_H
#define WAYS_H

#include <sys/syscall.h>
#include <unistd.h>

#include "tree.h"

#define	KEPT	asm volatile("" ::: "memory")	/* no tail call */

void marker(void), bottom(void), a(int), b(int), walk(unsigned);

static __thread unsigned path;

void
marker(void)
{
	syscall(SYS_getppid);
	KEPT;
}

/* A walk by frame pointers from a function's first instruction, or from libc,
 * may miss one caller: this one. */
void
bottom(void)
{
	marker();
	KEPT;
}

#define	TURN(name)			\
void					\
name(int level)				\
{					\
	if (level == tree_levels)	\
		bottom();		\
	else if (path >> level & 1)	\
		b(level + 1);		\
	else				\
		a(level + 1);		\
	KEPT;				\
}

TURN(a)
TURN(b)

void
walk(unsigned way)
{
	path = way;
	if (way & 1)
		b(1);
	else
		a(1);
	KEPT;
}

/* Gives each number below tree_paths once; neighbours are far apart. */
static inline unsigned
next_way(unsigned way)
{
	return ((way * 40501 + 12345) % tree_paths);
}

#endif
