/*
 * Makes system calls from stacks that lead nowhere, and from one that leads
 * out, TIMES times each (astray TIMES).  The first one's JIT code returns
 * after a jump of a function, the second one's frame pointer is further in
 * than its stack pointer.
 * On other CPUs than x86-64 there are no such stacks, and no calls from them.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "stage.h"

#include "outermost.h"

void below(void), plain(void);

void
below(void)
{
	syscall(SYS_getppid);
	asm volatile("" ::: "memory");
}

void
plain(void)
{
	below();
	asm volatile("" ::: "memory");
}

#ifdef __x86_64__

/* made is called as if by the instruction after the jump. */
void lands(void *made, void (*function)(void));
/* Makes a call with this frame pointer: 110 is getppid(2). */
void strays(void *const *fp);
asm("	.text\n"
    "	.globl	lands, strays\n"
    "	.type	lands, @function\n"
    "	.type	strays, @function\n"
    "lands:\n"
    "	.cfi_startproc\n"
    "	push	%rbp\n"
    "	.cfi_def_cfa_offset 16\n"
    "	.cfi_offset rbp, -16\n"
    "	mov	%rsp, %rbp\n"
    "	.cfi_def_cfa_register rbp\n"
    "	lea	1f(%rip), %rax\n"
    "	push	%rax\n"
    "	jmp	*%rdi\n"
    "1:	pop	%rbp\n"
    "	.cfi_def_cfa rsp, 8\n"
    "	ret\n"
    "	.cfi_endproc\n"
    "	.size	lands, . - lands\n"
    "strays:\n"
    "	.cfi_startproc\n"
    "	push	%rbp\n"
    "	.cfi_def_cfa_offset 16\n"
    "	.cfi_offset rbp, -16\n"
    "	mov	%rsp, %rbp\n"
    "	.cfi_def_cfa_register rbp\n"
    "	mov	%rdi, %rbp\n"
    "	mov	$110, %eax\n"
    "	syscall\n"
    "	mov	%rsp, %rbp\n"
    "	pop	%rbp\n"
    "	.cfi_def_cfa rsp, 8\n"
    "	ret\n"
    "	.cfi_endproc\n"
    "	.size	strays, . - strays\n");

/* push %rbp; mov %rsp,%rbp; call *%rsi; pop %rbp; ret. */
static void *
make(void)
{
	static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xff,
	    0xd6, 0x5d, 0xc3};
	void *const at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		exit(1);
	/* The bytes before code are looked at, too. */
	memcpy((char *)at + 64, code, sizeof(code));
	return ((char *)at + 64);
}

#endif

int
main(int argc, char **argv)
{
	const long times = stage_number(argc, argv, 1, 3);
#ifdef __x86_64__
	static void *further_in[2];
	void *const made = make();

	/* That frame pointer leads to the outermost frame at once. */
	further_in[1] = outermost_frame();
#endif
	stage_ready("");
	for (long i = 0; i < times; i++) {
		plain();
#ifdef __x86_64__
		lands(made, below);
		strays(further_in);
#endif
	}
	printf("done %ld\n", times);
	stage_end();
}
