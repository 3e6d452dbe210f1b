/*
 * Calls one() once, two() twice and three() three times in each of TIMES turns
 * (probes TIMES), and stepped(), with an instruction after its first;
 * passes the probes stack9_test:plain and, while somebody watches, :guarded.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "stage.h"

/* Writes a probe and its note as <sys/sdt.h> does. */
#define	PROBE(name, semaphore)						\
	asm volatile(							\
	    "990:	nop\n"						\
	    "	.pushsection .note.stapsdt, \"\", \"note\"\n"		\
	    "	.balign 4\n"						\
	    "	.4byte 992f - 991f, 994f - 993f, 3\n"			\
	    "991:	.asciz \"stapsdt\"\n"				\
	    "992:	.balign 4\n"					\
	    "993:	.8byte 990b, _.stapsdt.base, " semaphore "\n"	\
	    "	.asciz \"stack9_test\"\n"				\
	    "	.asciz \"" name "\"\n"					\
	    "	.asciz \"\"\n"						\
	    "994:	.balign 4\n"					\
	    "	.popsection\n")

asm("	.pushsection .stapsdt.base, \"aG\", \"progbits\", "
    ".stapsdt.base, comdat\n"
    "	.weak _.stapsdt.base\n"
    "	.hidden _.stapsdt.base\n"
    "_.stapsdt.base: .space 1\n"
    "	.size _.stapsdt.base, 1\n"
    "	.popsection\n");

__attribute__((section(".probes"), used)) volatile unsigned short
    guarded_semaphore;

asm("	.text\n"
    "	.globl stepped\n"
    "	.type stepped, %function\n"
    "stepped:\n"
    "	.cfi_startproc\n"
    "	nop\n"
    "	nop\n"
    "	ret\n"
    "	.cfi_endproc\n"
    "	.size stepped, . - stepped\n");

void stepped(void), one(void), two(void), three(void), plain(void);
void guarded(void), turn(void);

#define	COUNTED(name)				\
void						\
name(void)					\
{						\
	asm volatile("" ::: "memory");		\
}

COUNTED(one)
COUNTED(two)
COUNTED(three)

void
plain(void)
{
	PROBE("plain", "0");
}

void
guarded(void)
{
	if (guarded_semaphore != 0)
		PROBE("guarded", "guarded_semaphore");
}

void
turn(void)
{
	one();
	for (int i = 0; i < 2; i++)
		two();
	for (int i = 0; i < 3; i++)
		three();
	stepped();
	plain();
	guarded();
	asm volatile("" ::: "memory");
}

int
main(int argc, char **argv)
{
	const long times = stage_number(argc, argv, 1, 1000);

	stage_ready("");
	for (long i = 0; i < times; i++)
		turn();
	printf("done %ld\n", times);
	stage_end();
}
