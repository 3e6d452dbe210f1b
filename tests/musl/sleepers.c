/*
 * Sleeps in a call of the C library in each of many threads.  These are named
 * after it: thread NAME is in wait_NAME(), called by begin_NAME().  Prints a
 * line when all have begun; it ends when its standard input does.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define	_GNU_SOURCE
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t empty, begun;
static int fds[2];

#define	sleeps_in(name, ...)						\
	__attribute__((noinline)) static void				\
	wait_##name(void)						\
	{								\
		__VA_ARGS__;						\
		__asm__ volatile("" ::: "memory");			\
	}								\
	__attribute__((noinline)) static void *				\
	begin_##name(void *to)						\
	{								\
		sem_post(&begun);					\
		wait_##name();						\
		__asm__ volatile("" ::: "memory");			\
		return to;						\
	}

static FILE *
stream(void)
{
	return fdopen(dup(fds[0]), "r");
}

static struct timespec
much_later(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += 100000;
	return t;
}

static int
compare(const void *a, const void *b)
{
	char letter;

	if (read(fds[0], &letter, 1) != 1)
		return 0;
	return *(const int *)a - *(const int *)b;
}

sleeps_in(read, char letter; if (read(fds[0], &letter, 1) < 0) abort())
sleeps_in(poll, struct pollfd p = {fds[0], POLLIN, 0}; poll(&p, 1, -1))
sleeps_in(select, fd_set s; FD_ZERO(&s); FD_SET(fds[0], &s);
    select(fds[0] + 1, &s, NULL, NULL, NULL))
sleeps_in(nanosleep, struct timespec t = {100000, 0}; nanosleep(&t, NULL))
sleeps_in(sleep, sleep(100000))
sleeps_in(semaphore, sem_wait(&empty))
sleeps_in(timed, struct timespec t = much_later(); sem_timedwait(&empty, &t))
sleeps_in(condition, pthread_mutex_lock(&guard);
    pthread_cond_wait(&never, &guard))
sleeps_in(cond_timed, struct timespec t = much_later();
    pthread_mutex_lock(&guard); pthread_cond_timedwait(&never, &guard, &t))
sleeps_in(mutex, pthread_mutex_lock(&held))
sleeps_in(epoll, struct epoll_event e;
    epoll_wait(epoll_create1(0), &e, 1, -1))
sleeps_in(pause, pause())
sleeps_in(sigwait, sigset_t s; int n; sigemptyset(&s); sigaddset(&s, SIGUSR2);
    sigwait(&s, &n))
sleeps_in(fgets, char line[9]; if (fgets(line, 9, stream()) == NULL) abort())
sleeps_in(getc, getc(stream()))
sleeps_in(fscanf, int n; if (fscanf(stream(), "%d", &n) < 0) abort())
sleeps_in(qsort, int all[4] = {3, 2, 1, 0}; qsort(all, 4, 4, compare))
sleeps_in(recv, int s[2]; char letter; socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    recv(s[0], &letter, 1, 0))

static void
start(const char *name, void *(*begin)(void *))
{
	pthread_t t;

	if (pthread_create(&t, NULL, begin, NULL) != 0)
		abort();
	pthread_setname_np(t, name);
	sem_wait(&begun);
}

#define	begins(name)	start(#name, begin_##name)

int
main(void)
{
	char letter;

	if (pipe(fds) != 0)
		return 1;
	sem_init(&empty, 0, 0);
	sem_init(&begun, 0, 0);
	pthread_mutex_lock(&held);
	begins(read);
	begins(poll);
	begins(select);
	begins(nanosleep);
	begins(sleep);
	begins(semaphore);
	begins(timed);
	begins(condition);
	begins(cond_timed);
	begins(mutex);
	begins(epoll);
	begins(pause);
	begins(sigwait);
	begins(fgets);
	begins(getc);
	begins(fscanf);
	begins(qsort);
	begins(recv);
	puts("begun");
	fflush(stdout);
	/* exit(3) would wait for the streams that are being read. */
	_exit(read(STDIN_FILENO, &letter, 1) < 0);
}
