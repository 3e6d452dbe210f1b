/*
 * Captures its stack where a lock is held.  It is in C, so that libgcc_s is not
 * loaded before the first backtrace(3).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define	_GNU_SOURCE
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void	*__libc_malloc(size_t);

typedef int capture_fn(void **, int);

static void *pcs[64];
static pthread_mutex_t heap = PTHREAD_MUTEX_INITIALIZER;
static enum { plain, capturing, interrupted } next_malloc;

#ifdef WITH_LIBUNWIND
capture_fn unw_backtrace;
#else
#define	unw_backtrace backtrace
#endif

static void *
capture(void *by)
{
	((capture_fn *)by)(pcs, 64);
	return (NULL);
}

static int
capture_by_another(struct dl_phdr_info *info, size_t size, void *by)
{
	pthread_t other;

	(void)info;
	(void)size;
	if (pthread_create(&other, NULL, capture, by) != 0)
		abort();
	pthread_join(other, NULL);
	return (1);
}

/*
 * dl_iterate_phdr(3) holds the loader's lock, as dlopen(3) does while it runs
 * constructors, and another thread captures.
 */
static void
while_loading(capture_fn *by)
{
	dl_iterate_phdr(capture_by_another, (void *)by);
}

static void
handle(int signo)
{
	(void)signo;
	backtrace(pcs, 64);
	backtrace_symbols_fd(pcs, 1, STDOUT_FILENO);
}

/* An allocator with a lock; it captures its callers, as heap profilers do. */
void *
malloc(size_t size)
{
	void *p;
	int now;

	pthread_mutex_lock(&heap);
	now = next_malloc;
	next_malloc = plain;
	if (now == capturing)
		backtrace(pcs, 64);
	else if (now == interrupted)
		raise(SIGUSR1);
	p = __libc_malloc(size);
	pthread_mutex_unlock(&heap);
	return (p);
}

int
main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	void *volatile p;

	signal(SIGUSR1, handle);
	if (strcmp(mode, "backtrace-while-loading") == 0)
		while_loading(backtrace);
	else if (strcmp(mode, "unw-while-loading") == 0)
		while_loading(unw_backtrace);
	else if (strcmp(mode, "backtrace-in-malloc") == 0)
		next_malloc = capturing;
	else if (strcmp(mode, "handler-in-malloc") == 0)
		next_malloc = interrupted;
	else
		backtrace(pcs, 64);
	p = malloc(1);
	free(p);
	return (pcs[0] != NULL ? 0 : 1);
}
