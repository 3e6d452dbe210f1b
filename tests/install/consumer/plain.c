/*
 * Names our headers by their folder, in a program outside the tree.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stack9.h>
#include <stack9/sys/malloc.h>
#include <stack9/sys/stack.h>

int
main(void)
{
	struct stack9_thread td;
	struct stack *st;
	int error;

	if (stack9_thread_self(&td) != 0)
		return (1);
	st = stack_create(M_WAITOK);
	stack_save(st);
	error = st->depth < 2;
	stack_print(st);
	stack_destroy(st);
	return (error);
}
