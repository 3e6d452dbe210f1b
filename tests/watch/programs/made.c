/*
 * Makes TIMES system calls below code that it has made, in each phase (made
 * TIMES [PHASES [HEAP]]).  The code is like an interpreter's (HotSpot): each of
 * its frames has a frame pointer, and returns to an entry that is after a jmp,
 * not after a call.
 * With PHASES the code is like a compiler's (HotSpot): it uses the frame
 * pointer for something else, and each phase makes it with another size of
 * frame in the same place.
 * With HEAP the code is in the memory that the kernel calls the heap.
 * On other CPUs than x86-64 there is no such code, and no call of it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "stage.h"

#define	PAGE	4096

void below(void), above(void *made);

void
below(void)
{
	syscall(SYS_getppid);
	asm volatile("" ::: "memory");
}

/*
 * push %rbp; mov %rsp,%rbp; push the entry; jmp on; jmp *(%r10,%rbx,8); the
 * entry: pop %rbp; ret.
 */
#define	ENTRY	0x55, 0x48, 0x89, 0xe5, 0x48, 0x8d, 0x05, 7, 0, 0, 0, 0x50, \
	0xeb, 6, 0x41, 0xff, 0x24, 0xda, 0x5d, 0xc3

/* mov %eax,-0x4000(%rsp); push %rbp; sub $size,%rsp; xor %ebp,%ebp; call *%rdi;
 * add $size,%rsp; pop %rbp; ret. */
static void
make_sized(void *at, int phase)
{
	const unsigned char size = (unsigned char)(16 + phase % 4 * 16);
	const unsigned char code[] = {0x89, 0x84, 0x24, 0, 0xc0, 0xff, 0xff,
	    0x55, 0x48, 0x83, 0xec, size, 0x31, 0xed, 0xff, 0xd7,
	    0x48, 0x83, 0xc4, size, 0x5d, 0xc3};

	memcpy(at, code, sizeof(code));
}

static void *
memory_for(long in_heap)
{
	void *at;

	if (!in_heap)
		return (mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	at = sbrk(2 * PAGE);
	if (at == (void *)-1)
		return (MAP_FAILED);
	at = (void *)(((uintptr_t)at + PAGE - 1) / PAGE * PAGE);
	return (mprotect(at, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC) == 0 ?
	    at : MAP_FAILED);
}

static void *
make(long in_heap)
{
	/* Then push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret. */
	static const unsigned char code[] = {ENTRY, ENTRY, ENTRY, ENTRY,
	    0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
	void *const at = memory_for(in_heap);

	if (at == MAP_FAILED)
		exit(1);
	memcpy(at, code, sizeof(code));
	return (at);
}

void
above(void *made)
{
	((void (*)(void (*)(void)))made)(below);
	asm volatile("" ::: "memory");
}

int
main(int argc, char **argv)
{
	const long times = stage_number(argc, argv, 1, 1);
	const long phases = stage_number(argc, argv, 2, 0);
	void *const made = make(stage_number(argc, argv, 3, 0));

	stage_ready("");
	for (long phase = 0; phase < (phases != 0 ? phases : 1); phase++) {
		if (phases != 0)
			make_sized(made, (int)phase);
		for (long i = 0; i < times; i++)
			above(made);
	}
	printf("done %ld\n", times);
	stage_end();
}
