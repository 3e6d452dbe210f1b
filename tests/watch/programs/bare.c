/*
 * Makes TIMES system calls below each of 4,096 functions that no unwind
 * information describes, and for one in sixteen below a signal whose trampoline
 * is beside them (bare TIMES).  Before that it calls a few of them, again and
 * again until it gets a byte.  Their frames have a frame pointer; some return
 * right after their call, and some of these leave the frame pointer as it is.
 * On other CPUs than x86-64 there is no such code, and no call of it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "stage.h"

#define	FUNCTIONS	4096
#define	SIZE		64	/* bytes, of each */
#define	SIGNALS		16	/* one function of so many has one */
#define	PAGE		64	/* functions */

void below(int number), above(int number), handler(int number);

#ifdef __x86_64__
extern char bare[], bare_trampoline[];

asm(".text\n"
"	.p2align 12\n"
"bare:\n"
"	.set n, 0\n"
"	.rept 4096\n"
"	.if n % 64 == 10\n"
"	sub	$8, %rsp\n"
"	call	*%rsi\n"
"	add	$8, %rsp\n"
"	.else\n"
"	push	%rbp\n"
"	mov	%rsp, %rbp\n"
"	call	*%rsi\n"
"	.if n % 16 != 9\n"
"	nop\n"
"	.endif\n"
"	pop	%rbp\n"
"	.endif\n"
"	ret\n"
"	.if n == 4095\n"
"	nop\n"
"bare_trampoline:\n"
"	mov	$15, %rax\n"
"	syscall\n"
"	.endif\n"
"	.p2align 6\n"
"	.set n, n + 1\n"
"	.endr\n");

/* As the kernel has it; the C library would put its own trampoline there. */
struct kernel_action {
	void		(*handler)(int);
	unsigned long	flags;
	void		*restorer;
	unsigned long	mask;
};

static void
catch_signals(void)
{
	const struct kernel_action a = {handler, 0x04000000 /* SA_RESTORER */,
	    bare_trampoline, 0};

	syscall(SYS_rt_sigaction, SIGUSR1, &a, NULL, sizeof(a.mask));
}

void
above(int number)
{
	((void (*)(int, void (*)(int)))(bare + number * SIZE))(number, below);
	asm volatile("" ::: "memory");
}
#else
static void
catch_signals(void)
{
}

void
above(int number)
{
	below(number);
	asm volatile("" ::: "memory");
}
#endif

void
handler(int number)
{
	syscall(SYS_getppid);
	asm volatile("" :: "r"(number) : "memory");
}

void
below(int number)
{
	if (number % SIGNALS == SIGNALS - 1)
		raise(SIGUSR1);
	else
		syscall(SYS_getppid);
	asm volatile("" ::: "memory");
}

static int
has_input(void)
{
	int bytes = 0;

	return (ioctl(0, FIONREAD, &bytes) == 0 && bytes != 0);
}

int
main(int argc, char **argv)
{
	const long times = stage_number(argc, argv, 1, 1);
	long before = 0;

	catch_signals();
	stage_ready("");
	while (!has_input()) {
		for (int i = 0; i < FUNCTIONS; i += PAGE)
			above(i);
		before += FUNCTIONS / PAGE;
	}
	stage_wait();
	for (long n = 0; n < times; n++)
		for (int i = 0; i < FUNCTIONS; i++)
			above(i);
	printf("done %ld\n", before + times * FUNCTIONS);
	stage_end();
}
