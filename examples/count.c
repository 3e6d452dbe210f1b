/*
 * Counts the stacks that lead to an event, for a few seconds, and prints the
 * most frequent ones, the least frequent first.
 *
 *	count [event [seconds]]
 *
 * The exit status is 77 if this machine cannot do it, or this user may not.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <stack9_watch.h>

#define	MOST	5

/* Keeps the most frequent samples, the least frequent first. */
static int
take(void *arg, const struct stack9_sample *sample)
{
	struct stack9_sample **most = arg;
	int i;

	if (most[0] != NULL && sample->events <= most[0]->events)
		return (0);
	stack9_sample_close(most[0]);
	for (i = 0; i + 1 < MOST && (most[i + 1] == NULL ||
	    most[i + 1]->events < sample->events); i++)
		most[i] = most[i + 1];
	most[i] = stack9_sample_hold(sample);
	return (0);
}

static int
print(void *arg, const struct stack9_frame *f)
{
	(void)arg;
	if (f->name[0] != '\0')
		printf("  %s\n", f->name);
	else
		printf("  %#llx\n", (unsigned long long)f->pc);
	return (0);
}

static int
count(struct stack9_watch *watch, int seconds)
{
	struct stack9_tally tally = { .size = sizeof(tally) };
	time_t end = time(NULL) + seconds;
	int error = 0;

	while ((error == 0 || error == EAGAIN) && time(NULL) < end)
		error = stack9_watch_read(watch, 100, NULL, NULL);
	stack9_watch_stop(watch);
	error = stack9_watch_tally(watch, &tally);
	printf("%llu events, %llu stacks, %llu events not kept\n\n",
	    (unsigned long long)tally.events, (unsigned long long)tally.stacks,
	    (unsigned long long)(tally.events - tally.kept));
	return (error);
}

int
main(int argc, char **argv)
{
	struct stack9_sample *most[MOST] = { NULL };
	struct stack9_watch_options options = { .size = sizeof(options),
	    .side = STACK9_KERNEL };
	const char *event = argc > 1 ? argv[1] : "t:sched:sched_switch";
	struct stack9_watch *watch;
	int error = stack9_watch_open(event, &options, &watch);

	if (error != 0) {
		fprintf(stderr, "count: %s: %s\n", event, stack9_reason());
		return (error == EPERM || error == EOPNOTSUPP ? 77 : 1);
	}
	error = count(watch, argc > 2 ? atoi(argv[2]) : 1);
	if (error == 0)
		error = stack9_watch_each(watch, take, most);
	stack9_watch_close(watch);
	for (int i = 0; i < MOST; i++)
		if (most[i] != NULL) {
			stack9_frames(most[i]->kernel, 0, print, NULL);
			printf("    %llu\n\n",
			    (unsigned long long)most[i]->events);
			stack9_sample_close(most[i]);
		}
	return (error == 0 ? 0 : 1);
}
