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
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <stack9_async.h>

#define	MOST	256

static struct watched {
	struct stack9_thread td;
	stack9_id	id;		/* 0: a free entry */
	int		late;		/* its kernel stack was printed */
} all[MOST], *const end = all + MOST;
static struct stack9_async *stream;
static int ms = 1000;

/* With hangs set, the thread is late all the time; otherwise it is in user
 * space every now and then. */
static void *
work(void *hangs)
{
	while (poll(NULL, 0, hangs != NULL ? ms * 5 / 2 : ms / 10 + 1) == 0)
		;
	return (NULL);
}

static int
print_frame(void *arg, const struct stack9_frame *f)
{
	(void)arg;
	printf("  %s+%#llx\n", f->name[0] != '\0' ? f->name : "??",
	    (unsigned long long)(f->name[0] != '\0' ? f->offset : f->pc));
	return (0);
}

static void
print(const struct stack9_sample *sample, const struct stack9_stack *stack)
{
	printf("tid %d, %s: %s\n", sample->thread.tid,
	    stack->side == STACK9_USER ? "back in user space" : "late",
	    stack->reason);
	stack9_frames(stack, 0, print_frame, NULL);
}

/* Submits a thread, unless its last submission is still under way. */
static int
submit(const struct stack9_thread *td)
{
	struct watched *w, *place = NULL;
	int error;

	for (w = all; w < end; w++)
		if (w->id != 0 && w->td.tid == td->tid)
			return (0);
		else if (w->id == 0)
			place = w;
	if (place == NULL)
		return (0);
	place->td = *td;
	error = stack9_async_submit(stream, td, STACK9_BOTH, 0, 0, &place->id);
	return (error == ESRCH || error == EAGAIN ? 0 : error);
}

/* Submits all threads but the calling one. */
static int
submit_all(void)
{
	struct stack9_thread self, threads[MOST];
	uint32_t i, n;
	int error = stack9_thread_self(&self);

	if (error == 0)
		error = stack9_thread_list(&self, threads, MOST, &n);
	for (i = 0; error == 0 && i < n && i < MOST; i++)
		if (threads[i].tid != self.tid)
			error = submit(&threads[i]);
	return (error);
}

/* Collects a submission.  Called when it is over, or the round is. */
static void
look(struct watched *w)
{
	struct stack9_sample *sample;
	int error = stack9_async_collect(stream, w->id, NULL, &sample);

	if (error == EAGAIN && !w->late)
		print(sample, sample->kernel);
	if (error == 0 && w->late)
		print(sample, sample->user);
	w->late = error == EAGAIN;
	if (error != EAGAIN) {
		stack9_async_release(stream, w->id);
		w->id = 0;
	}
	stack9_sample_close(sample);
}

/* Makes a round.  It ends when fds[1], a timer, ticks. */
static int
watch(struct pollfd *fds)
{
	struct stack9_ready ready = { .size = sizeof(ready) };
	struct watched *w;
	uint64_t ticks;
	int error = submit_all();

	while (error == 0 && read(fds[1].fd, &ticks, sizeof(ticks)) < 0) {
		poll(fds, 2, -1);
		while (stack9_async_next(stream, &ready) == 0)
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
	error = stack9_async_open(&stream);
	if (error == 0)
		error = stack9_async_fd(stream, &fds[0].fd);
	if (error == 0)
		error = pthread_create(&thread, NULL, work, NULL);
	if (error == 0)
		error = pthread_create(&thread, NULL, work, &ms);
	while (error == 0 && rounds-- > 0)
		error = watch(fds);
	stack9_async_close(stream);
	if (error == 0)
		return (0);
	fprintf(stderr, "watchdog: %s; stackprint --check says why\n",
	    stack9_reason());
	return (error == EPERM || error == EOPNOTSUPP ? 77 : 1);
}
