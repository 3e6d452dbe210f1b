/*
 * Makes _ddb calls of the real library on a small signal stack, while malloc
 * is forbidden.  It prints what a crash handler would, then the stack it took.
 * The kernel's own part of that stack depends upon the CPU.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <sys/sbuf.h>
#include <sys/stack.h>

enum { needed = 6144, paint = 0xa5 };

void	*__libc_malloc(size_t size);
void	 victim(void);

static volatile sig_atomic_t	forbidden;
static unsigned char		*low;	/* of the signal stack */
static struct stack		st;

void *
malloc(size_t size)
{
	if (forbidden)
		abort();
	return __libc_malloc(size);
}

static void
on_fault(int sig)
{
	unsigned char here;
	char text[64];
	struct sbuf sb;
	const unsigned char *p;

	(void)sig;
	forbidden = 1;
	errno = 4711;
	stack_print_ddb(&st);
	stack_print_short_ddb(&st);
	for (p = low; *p == paint; p++)
		continue;
	sbuf_new(&sb, text, sizeof text, SBUF_FIXEDLEN);
	sbuf_printf(&sb, "errno %d, stack %s\n", errno,
	    &here - p <= needed ? "within 6 KiB" : "beyond 6 KiB");
	sbuf_finish(&sb);
	(void)!write(STDERR_FILENO, sbuf_data(&sb), (size_t)sbuf_len(&sb));
	_exit(0);
}

__attribute__((__noinline__)) void
victim(void)
{
	stack_save(&st);
	*(volatile int *)NULL = 0;
}

int
main(void)
{
	const long page = sysconf(_SC_PAGESIZE);
	struct sigaction act;
	stack_t ss;
	size_t room;
	char *map;

	room = needed + getauxval(AT_MINSIGSTKSZ);
	room = (room + (size_t)page - 1) / (size_t)page * (size_t)page;
	map = mmap(NULL, room + (size_t)page, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED || mprotect(map, (size_t)page, PROT_NONE) != 0)
		return 1;	/* below the stack: a guard */
	low = (unsigned char *)map + page;
	memset(low, paint, room);
	memset(&ss, 0, sizeof ss);
	ss.ss_sp = low;
	ss.ss_size = room;
	memset(&act, 0, sizeof act);
	act.sa_handler = on_fault;
	act.sa_flags = SA_ONSTACK;
	if (sigaltstack(&ss, NULL) != 0 || sigaction(SIGSEGV, &act, NULL) != 0)
		return 1;
	victim();
	return 1;
}
