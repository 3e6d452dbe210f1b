/*
 * Prints the stack of a crash in a SIGSEGV handler that runs on an alternate
 * stack.  stack_save() and the _ddb calls take no lock and no memory, so this
 * works in a program whose heap is broken or whose stack has run out.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <stack9/sys/stack.h>

static void
crashed(int signo)
{
	static const char why[] = "crashed here:\n";
	struct stack st;

	(void)!write(STDERR_FILENO, why, sizeof(why) - 1);
	stack_save(&st);
	stack_print_ddb(&st);
	_exit(128 + signo);
}

static int
read_through(const volatile int *p)
{
	return (*p + 1);
}

int
main(void)
{
	struct sigaction sa = { .sa_handler = crashed, .sa_flags = SA_ONSTACK };
	stack_t ss = { .ss_size = 64 * 1024 };

	ss.ss_sp = malloc(ss.ss_size);
	if (ss.ss_sp == NULL || sigaltstack(&ss, NULL) != 0 ||
	    sigaction(SIGSEGV, &sa, NULL) != 0)
		return (1);
	return (read_through(NULL));
}
