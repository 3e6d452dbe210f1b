/*
 * Loads a library and writes patch_one.so and patch_other.so over its file in
 * turn, TIMES times, as cp(1) does.  Each time it maps something, so that the
 * kernel reports a change, and calls the library's function CALLS times
 * (patches DIRECTORY FILE TIMES CALLS).
 * The two frames of the function begin and end where the other one's caller
 * has its own, and the larger one is full of the address that the smaller one
 * returns to.  So all words by which the frames of before were left are there.
 * On other CPUs than x86-64 the frames end where the compiler puts
 * them.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <dlfcn.h>
#include <fcntl.h>

#include "stage.h"

static char room[1 << 20];

#ifdef __x86_64__

/* Both call a function with an address.  The sizes are those of the frames of
 * patch_one.so and patch_other.so. */
typedef void via(void (*)(void *), void *);
via via_one, via_other;
extern char via_one_back[];
asm("	.text\n"
    "	.globl	via_one, via_other\n"
    "	.type	via_one, @function\n"
    "	.type	via_other, @function\n"
    "via_one:\n"
    "	.cfi_startproc\n"
    "	sub	$1288, %rsp\n"
    "	.cfi_adjust_cfa_offset 1288\n"
    "	mov	%rdi, %rax\n"
    "	mov	%rsi, %rdi\n"
    "	call	*%rax\n"
    "via_one_back:\n"
    "	add	$1288, %rsp\n"
    "	.cfi_adjust_cfa_offset -1288\n"
    "	ret\n"
    "	.cfi_endproc\n"
    "	.size	via_one, . - via_one\n"
    "via_other:\n"
    "	.cfi_startproc\n"
    "	sub	$8, %rsp\n"
    "	.cfi_adjust_cfa_offset 8\n"
    "	mov	%rdi, %rax\n"
    "	mov	%rsi, %rdi\n"
    "	call	*%rax\n"
    "	add	$8, %rsp\n"
    "	.cfi_adjust_cfa_offset -8\n"
    "	ret\n"
    "	.cfi_endproc\n"
    "	.size	via_other, . - via_other\n");

static void
call(int other, void (*function)(void *))
{
	static via *const ways[] = {via_one, via_other};

	ways[other](function, via_one_back);
	asm volatile("" ::: "memory");
}

#else

static void
call(int other, void (*function)(void *))
{
	(void)other;
	function(NULL);
	asm volatile("" ::: "memory");
}

#endif

/* The bytes of a file of the directory. */
static ssize_t
bytes_of(const char *directory, const char *name)
{
	char path[4096];
	int fd;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	fd = open(path, O_RDONLY);
	n = read(fd, room, sizeof(room));
	close(fd);
	return (n);
}

static void
patch(const char *directory, const char *name, const char *file)
{
	const ssize_t n = bytes_of(directory, name);
	const int fd = open(file, O_WRONLY | O_CREAT, 0700);

	if (n <= 0 || write(fd, room, (size_t)n) != n)
		exit(2);
	close(fd);
	munmap(mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
	    4096);
}

int
main(int argc, char **argv)
{
	const long times = stage_number(argc, argv, 3, 2);
	const long calls = stage_number(argc, argv, 4, 3);
	void (*function)(void *), *library;

	patch(argv[1], "patch_one.so", argv[2]);
	library = dlopen(argv[2], RTLD_NOW);
	if (library == NULL)
		exit(2);
	function = (void (*)(void *))dlsym(library, "patched");
	stage_ready("");
	for (long i = 0; i < times; i++) {
		for (long n = 0; n < calls; n++)
			call(i % 2, function);
		patch(argv[1], i % 2 == 0 ? "patch_other.so" : "patch_one.so",
		    argv[2]);
	}
	printf("done %ld\n", times * calls);
	stage_end();
}
