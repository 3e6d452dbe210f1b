/*
 * Calls main, outer, middle, inner, and what argv[1] says: each notes where it
 * returns to, and all of it is written to descriptor 3.  It is built in many
 * ways.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define	_GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define	NOTE(level)	(noted[level] = (uintptr_t)__builtin_return_address(0))
#define	NOINLINE	__attribute__((noinline))

static volatile uintptr_t noted[3];	/* of inner, middle, outer */
static volatile int used;		/* so that no call is the last thing */
static const char *mode;

static void
tell(void)
{
	char text[128];
	const int n = snprintf(text, sizeof text, "ready %lx %lx %lx\n",
	    (unsigned long)noted[0], (unsigned long)noted[1],
	    (unsigned long)noted[2]);
	if (write(3, text, (size_t)n) != n)
		_exit(1);
}

static NOINLINE int
block(void)
{
	char byte;
	tell();
	return (int)read(0, &byte, 1) + used;
}

static void
handler(int number)
{
	used = number;
	used += block();
}

static void
handle(int number)
{
	static char room[65536];
	const stack_t other = {.ss_sp = room, .ss_size = sizeof room};
	struct sigaction act;
	memset(&act, 0, sizeof act);
	act.sa_handler = handler;
	act.sa_flags = SA_ONSTACK;
	if (sigaltstack(&other, NULL) != 0 || sigaction(number, &act, NULL))
		_exit(1);
}

static NOINLINE int
call_null(void)
{
	void (*volatile nowhere)(void) = NULL;
	handle(SIGSEGV);
	nowhere();
	return used;
}

static NOINLINE int
read_clock(void)
{
	struct timespec t;
	tell();
	for (;;)
		used += clock_gettime(CLOCK_MONOTONIC, &t);
}

static NOINLINE int
spin(void)
{
	tell();
	for (;;)
		used++;
}

static NOINLINE int
recurse(int n)
{
	return n == 0 ? block() : recurse(n - 1) + used;
}

/* The frame pointer points to what is saved of the caller's. */
static NOINLINE int
spoil(uintptr_t to)
{
	uintptr_t *const frame = __builtin_frame_address(0);
	frame[0] = to == 1 ? (uintptr_t)frame : to;
	return block() + used;
}

static NOINLINE int
overwrite(void)
{
	memset(__builtin_frame_address(0), 0x41, 16 * sizeof(uintptr_t));
	return block() + used;
}

/* As an overflow by zeros leaves it. */
static NOINLINE int
zero(void)
{
	memset(__builtin_frame_address(0), 0, 16 * sizeof(uintptr_t));
	return block() + used;
}

/* Frames that lead to each other. */
static NOINLINE int
cycle(void)
{
	uintptr_t pairs[4];
	pairs[0] = (uintptr_t)&pairs[2];
	pairs[1] = pairs[3] = noted[0];
	pairs[2] = (uintptr_t)&pairs[0];
	return spoil((uintptr_t)&pairs[0]) + (int)((volatile uintptr_t *)
	    pairs)[0];
}

#if defined(__x86_64__)
/*
 * push %rbp; mov %rsp,%rbp; call *%rdi; nop; pop %rbp; ret, or without rbp, or
 * with nothing after the call but the removal of the frame.
 */
static NOINLINE int
run_made_code(int kind)
{
	static const unsigned char framed[] = {0x55, 0x48, 0x89, 0xe5,
	    0xff, 0xd7, 0x90, 0x5d, 0xc3};
	static const unsigned char plain[] = {0x48, 0x83, 0xec, 0x28,
	    0xff, 0xd7, 0x90, 0x48, 0x83, 0xc4, 0x28, 0xc3};
	static const unsigned char straight[] = {0x48, 0x83, 0xec, 0x28,
	    0xff, 0xd7, 0x48, 0x83, 0xc4, 0x28, 0xc3};
	char *const code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED)
		_exit(1);
	memcpy(code, kind == 0 ? plain : kind == 1 ? framed : straight,
	    kind == 0 ? sizeof plain : kind == 1 ? sizeof framed :
	    sizeof straight);
	return ((int (*)(int (*)(void)))(void *)code)(block) + used;
}

/*
 * Runs JIT code as an interpreter's frames are (HotSpot): twice push %rbp; mov
 * %rsp,%rbp, then a push of the entry to which the next one returns, and a jmp
 * to it.  The entry is after another jmp, not after a call.
 */
static NOINLINE int
run_entries(uintptr_t lost)
{
#define	ENTRY	0x55, 0x48, 0x89, 0xe5, 0x48, 0x8d, 0x05, 7, 0, 0, 0,	\
	0x50, 0xeb, 6, 0x41, 0xff, 0x24, 0xda, 0x5d, 0xc3
	static const unsigned char entries[] = {ENTRY, ENTRY,
	    0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x90, 0x5d, 0xc3};
	/* mov %rsi,%rbp in place of mov %rsp,%rbp. */
	static const unsigned char losing[] = {0x48, 0x89, 0xf5};
	/*
	 * mov %eax,-0x14000(%rsp); push %rbp; sub $0x20,%rsp; mov $8,%ebp; call
	 * *%rdi; nop; add $0x20,%rsp; pop %rbp; ret, as HotSpot's compilers
	 * have it.
	 */
	static const unsigned char compiled[] = {0x89, 0x84, 0x24, 0x00, 0xc0,
	    0xfe, 0xff, 0x55, 0x48, 0x83, 0xec, 0x20, 0xbd, 8, 0, 0, 0,
	    0xff, 0xd7, 0x90, 0x48, 0x83, 0xc4, 0x20, 0x5d, 0xc3};
	uintptr_t pairs[4];
	unsigned char *const code = mmap(NULL, 4096, PROT_READ | PROT_WRITE |
	    PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED)
		_exit(1);
	memcpy(code, entries, sizeof entries);
	if (lost == 1)
		memcpy(code + 41, losing, sizeof losing);
	else if (lost == 2)
		memcpy(code + 40, compiled, sizeof compiled);
	/* Frame pointers that lead by JIT code to where no call is. */
	pairs[0] = (uintptr_t)&pairs[2];
	pairs[1] = (uintptr_t)code + 18;
	pairs[2] = (uintptr_t)&pairs[2] + 64;
	pairs[3] = (uintptr_t)&block;
	return ((int (*)(int (*)(void), uintptr_t *))(void *)code)(block,
	    pairs) + used + (int)((volatile uintptr_t *)pairs)[0];
}
#else
static int run_made_code(int x) { return x + block(); }
static int run_entries(uintptr_t x) { return (int)x + block(); }
#endif

static NOINLINE int
inner(void)
{
	NOTE(0);
	if (strcmp(mode, "signal") == 0) {
		handle(SIGUSR1);
		return raise(SIGUSR1) + used;
	}
	if (strcmp(mode, "null") == 0)
		return call_null() + used;
	if (strcmp(mode, "vdso") == 0)
		return read_clock() + used;
	if (strcmp(mode, "spin") == 0)
		return spin() + used;
	if (strcmp(mode, "deep") == 0)
		return recurse(100000) + used;
	if (strcmp(mode, "overwritten") == 0)
		return overwrite() + used;
	if (strcmp(mode, "zero") == 0)
		return zero() + used;
	if (strcmp(mode, "wild") == 0)
		return spoil(0xdeadbee8) + used;
	if (strcmp(mode, "cycle1") == 0)
		return spoil(1) + used;
	if (strcmp(mode, "cycle2") == 0)
		return cycle() + used;
	if (strcmp(mode, "jit-fp") == 0)
		return run_made_code(1) + used;
	if (strcmp(mode, "jit-straight") == 0)
		return run_made_code(2) + used;
	if (strcmp(mode, "jit") == 0)
		return run_made_code(0) + used;
	if (strcmp(mode, "jit-entries") == 0)
		return run_entries(0) + used;
	if (strcmp(mode, "jit-lost") == 0)
		return run_entries(1) + used;
	if (strcmp(mode, "jit-compiled") == 0)
		return run_entries(2) + used;
	return block() + used;
}

static NOINLINE int
middle(void)
{
	NOTE(1);
	return inner() + used;
}

static NOINLINE int
outer(void)
{
	NOTE(2);
	return middle() + used;
}

static void *
in_thread(void *unused)
{
	(void)unused;
	return outer() + used == 0 ? NULL : &noted;
}

int
main(int argc, char **argv)
{
	pthread_t t;
	mode = argc > 1 ? argv[1] : "read";
	if (argc > 2 && pthread_create(&t, NULL, in_thread, NULL) == 0)
		return pthread_join(t, NULL);
	return outer() + used;
}
