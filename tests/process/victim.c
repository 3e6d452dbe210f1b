/*
 * Gets to a known place, says so on its output, and waits for input there.
 * Tests capture this program.  It is built in many ways.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#ifdef VICTIM_DLOPEN
#include <dlfcn.h>
#endif

#define	NOT_INLINED	__attribute__((noinline, noclone))

static volatile int never;	/* that nothing is a call in last position */

static NOT_INLINED char
wait_here(const char *said)
{
	char byte = 0;
	if (write(1, said, strlen(said)) < 0 || read(0, &byte, 1) != 1)
		_exit(1);
	return (byte + never);
}

NOT_INLINED int
inner(void)
{
	volatile char room[200];
	room[never] = wait_here("ready\n");
	return (room[never]);
}

NOT_INLINED int
middle(int n)
{
	int sum = inner() + n;
	return (sum + never);
}

NOT_INLINED int
outer(int n)
{
	return (middle(n + 1) + never);
}

NOT_INLINED int
deeper(int n)
{
	volatile int room[4] = {n};
	return (n == 0 ? outer(n) : deeper(n - 1)) + room[never];
}

static NOT_INLINED void
handler(int signo)
{
	never = 0 * outer(signo);
}

static NOT_INLINED void
be_interrupted(int on_other_stack)
{
	struct sigaction act = { .sa_handler = handler };
	if (on_other_stack) {
		const size_t size = 64 << 10;
		const stack_t other = { .ss_sp = mmap(NULL, size, PROT_READ |
		    PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
		    .ss_size = size };
		sigaltstack(&other, NULL);
		act.sa_flags = SA_ONSTACK;
	}
	sigaction(SIGUSR1, &act, NULL);
	raise(SIGUSR1);
}

static void *
in_thread(void *arg)
{
	if (arg != NULL)
		pthread_join(*(pthread_t *)arg, NULL);
	never = 0 * outer(1);
	return (NULL);
}

/* The thread waits until it is the only one. */
static void
leave_thread_alone(void)
{
	static pthread_t me;
	pthread_t t;
	me = pthread_self();
	pthread_create(&t, NULL, in_thread, &me);
	pthread_exit(NULL);
}

static void
map_much(int n)
{
	const size_t page = (size_t)getpagesize();
	for (int i = 0; i < n; i++)
		if (mmap(NULL, page, i % 2 != 0 ? PROT_READ : PROT_NONE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
			_exit(2);
}

/* Most of the time in the vdso. */
static NOT_INLINED int
ask_the_time(void)
{
	struct timespec t;
	if (write(1, "ready\n", 6) < 0)
		_exit(1);
	do
		clock_gettime(CLOCK_MONOTONIC, &t);
	while (!never);
	return (never);
}

#ifdef VICTIM_DLOPEN
static int
call_plugin(const char *path)
{
	void *const plugin = dlopen(path, RTLD_NOW);
	int (*const call)(int (*)(int)) = plugin == NULL ? NULL :
	    (int (*)(int (*)(int)))dlsym(plugin, "plugged");
	return (call == NULL ? 1 : call(outer));
}
#endif

/* Finds the code of the object that has an address. */
static int
find_code(struct dl_phdr_info *object, size_t size, void *arg)
{
	uintptr_t *const code = arg, page = (uintptr_t)getpagesize();
	for (int n = 0; n < object->dlpi_phnum; n++) {
		const ElfW(Phdr) *const p = &object->dlpi_phdr[n];
		const uintptr_t at = object->dlpi_addr + p->p_vaddr;
		if (p->p_type == PT_LOAD && (p->p_flags & PF_X) != 0 &&
		    code[0] - at < p->p_memsz) {
			code[1] = (at + p->p_memsz + page - 1) & -page;
			code[0] = at & -page;
			return (size != 0);
		}
	}
	return (0);
}

/* Moves the code around an address to memory of no file; or puts other code
   there. */
static void
move_code(uintptr_t address, int other)
{
	uintptr_t code[2] = { address, 0 };
	dl_iterate_phdr(find_code, code);
	const size_t size = code[1] - code[0];
	unsigned char *const to = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code[1] == 0 || to == MAP_FAILED)
		_exit(3);
	memcpy(to, (void *)code[0], size);
	for (size_t n = 0; other && n < size; n++)
		to[n] ^= (unsigned char)n | 1;
	mprotect(to, size, PROT_READ | PROT_EXEC);
	if (mremap(to, size, size, MREMAP_MAYMOVE | MREMAP_FIXED,
	    (void *)code[0]) == MAP_FAILED)
		_exit(4);
}

int
main(int argc, char **argv)
{
	const char *const how = argc > 1 ? argv[1] : "";
	const char *const more = argc > 2 ? argv[2] : "0";
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (strcmp(how, "signal") == 0)
		be_interrupted(0);
	else if (strcmp(how, "altstack") == 0)
		be_interrupted(1);
	else if (strcmp(how, "alone") == 0)
		leave_thread_alone();
	else if (strcmp(how, "clock") == 0)
		return (ask_the_time() + never);
	else if (strcmp(how, "deep") == 0)
		return (deeper(atoi(more)));
	else if (strcmp(how, "maps") == 0)
		map_much(atoi(more));
	else if (strcmp(how, "moved") == 0)
		move_code((uintptr_t)outer, 0);
#ifdef VICTIM_DLOPEN
	else if (strcmp(how, "dlopen") == 0) {
		wait_here("waits\n");
		return (call_plugin(more));
	}
	else if (strcmp(how, "replaced") == 0) {
		void *const plugin = dlopen(more, RTLD_NOW);
		move_code((uintptr_t)dlsym(plugin, "plugged"), 1);
	}
#endif
	return (outer(argc) + never);
}
