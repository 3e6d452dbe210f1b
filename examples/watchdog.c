/*
 * Watches over all threads of its own process, and disturbs none of them.  Each
 * second it submits every thread.  A thread that has not been in user space for
 * all of that second is late: its kernel stack is printed at once, and its user
 * stack when it returns.  (Without task work, before Linux 6.18, a thread that
 * sleeps is captured while it sleeps, and no thread is ever late.)
 *
 *	watchdog [rounds [milliseconds]]
 *
 * The exit status is 77 if this machine cannot do it, or this user may not.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <stack9_async.h>

#define	MOST	256

static struct watched {
	struct stack9_thread td;
	stack9_id	id;		/* 0: a free entry */
	int		late;		/* its kernel stack was printed */
} all[MOST], *const end = all + MOST;
static int ms = 1000;

/* With hangs set, the thread is late all the time; else it is in user space
 * every now and then. */
static void *
work(void *hangs)
{
	while (poll(NULL, 0, hangs != NULL ? ms * 5 / 2 : ms / 10 + 1) == 0)
		;
	return (NULL);
}

static void
print(const struct stack9_record *rec)
{
	struct stack9_symbol sym;
	uint32_t i;

	printf("tid %d, %s: %s\n", rec->thread.tid,
	    rec->side == STACK9_USER ? "back in user space" : "late",
	    rec->reason ? rec->reason : stack9_why_text(rec->why));
	for (i = 0; i < rec->depth; i++)
		if (stack9_name(rec->pcs[i],
		    i == 0 && (rec->flags & STACK9_EXACT_FIRST) ?
		    0 : STACK9_RETURN_ADDRESS, &sym) == 0)
			printf("  %s+%#lx\n", sym.name, (long)sym.offset);
		else
			printf("  %#lx\n", (unsigned long)rec->pcs[i]);
}

/* Submits a thread, unless its last submission is still under way. */
static int
submit(pid_t tid)
{
	struct watched *w, *place = NULL;
	int error;

	for (w = all; w < end; w++)
		if (w->id != 0 && w->td.tid == tid)
			return (0);
		else if (w->id == 0)
			place = w;
	if (place == NULL || stack9_thread_find(tid, &place->td) != 0)
		return (0);
	error = stack9_submit(&place->td, STACK9_BOTH, 0, &place->id);
	return (error == ESRCH || error == EAGAIN ? 0 : error);
}

/* Submits all threads but the first, which is the calling one. */
static int
submit_all(void)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *e;
	int error = 0;

	while (tasks && error == 0 && (e = readdir(tasks)) != NULL)
		if (atoi(e->d_name) > 0 && atoi(e->d_name) != getpid())
			error = submit(atoi(e->d_name));
	if (tasks)
		closedir(tasks);
	return (error);
}

/* Collects a submission.  Called when it is over, or the round is. */
static void
look(struct watched *w)
{
	uintptr_t pcs[2][128];
	struct stack9_record kernel = { .pcs = pcs[0], .max = 128 };
	struct stack9_record user = { .pcs = pcs[1], .max = 128 };
	int error = stack9_collect(w->id, &kernel, &user);

	if (error == EAGAIN && !w->late)
		print(&kernel);
	if (error == 0 && w->late)
		print(&user);
	w->late = error == EAGAIN;
	if (error != EAGAIN) {
		stack9_release(w->id);
		w->id = 0;
	}
}

/* Makes a round, which ends when fds[1], a timer, ticks. */
static int
watch(struct pollfd *fds)
{
	struct stack9_arrival ready;
	struct watched *w;
	uint64_t ticks;
	size_t n;
	int error = submit_all();

	while (error == 0 && read(fds[1].fd, &ticks, sizeof(ticks)) < 0) {
		poll(fds, 2, -1);
		while (stack9_ready(&ready, 1, &n) == 0)
			for (w = all; w < end; w++)
				if (w->id != 0 && w->id == ready.id)
					look(w);
	}
	for (w = all; w < end && error == 0; w++)
		if (w->id != 0)
			look(w);
	return (error);
}

int
main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 5, error;
	struct pollfd fds[2] = { { .events = POLLIN }, { .events = POLLIN } };
	struct itimerspec each = { 0 };
	pthread_t thread;

	ms = argc > 2 ? atoi(argv[2]) : ms;
	each.it_value.tv_sec = each.it_interval.tv_sec = ms / 1000;
	each.it_value.tv_nsec = each.it_interval.tv_nsec = ms % 1000 * 1000000;
	fds[1].fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	timerfd_settime(fds[1].fd, 0, &each, NULL);
	error = stack9_ready_fd(&fds[0].fd);
	if (error == 0)
		error = pthread_create(&thread, NULL, work, NULL);
	if (error == 0)
		error = pthread_create(&thread, NULL, work, &ms);
	while (error == 0 && rounds-- > 0)
		error = watch(fds);
	if (error == 0)
		return (0);
	fprintf(stderr, "watchdog: %s; stackprint --check says why\n",
	    strerror(error));
	return (error == EPERM || error == EOPNOTSUPP ? 77 : 1);
}
