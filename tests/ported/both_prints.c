/*
 * Prints one stack of a thread by stack_print_ddb(), before any other call has
 * named an address, and by stack_print().
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/param.h>
#include <sys/stack.h>

#include <pthread.h>
#include <stddef.h>

static void *
print_both(void *arg)
{
	struct stack st;

	stack_save(&st);
	stack_print_ddb(&st);
	stack_print(&st);
	return (arg);
}

int
main(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, print_both, NULL) != 0)
		return (1);
	pthread_join(t, NULL);
	print_both(NULL);
	return (0);
}
