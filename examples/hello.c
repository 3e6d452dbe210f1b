/*
 * Prints the calling thread's own stack with FreeBSD's calls.
 *
 *	cc hello.c $(pkg-config --cflags --libs stack9) && ./a.out
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stack9/sys/stack.h>

static void
greet(void)
{
	struct stack st;

	stack_save(&st);
	stack_print(&st);
}

int
main(void)
{
	greet();
	return (0);
}
