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
#include <string.h>
#include <time.h>

#include <stack9_watch.h>

#define	MOST	5

/* A stack without names, which are looked up when the watch has ended. */
struct counted {
	uint64_t	events;
	unsigned int	flags;
	uint32_t	depth;
	uintptr_t	pcs[128];
};

/* Keeps the most frequent stacks, the least frequent first. */
static int
take(void *arg, const struct stack9_sample *sample)
{
	struct counted *most = arg;
	const struct stack9_record *kernel = sample->kernel;
	int i;

	if (sample->events <= most[0].events)
		return (0);
	for (i = 0; i + 1 < MOST && most[i + 1].events < sample->events; i++)
		most[i] = most[i + 1];
	most[i].events = sample->events;
	most[i].flags = kernel->flags;
	most[i].depth = kernel->depth < 128 ? kernel->depth : 128;
	memcpy(most[i].pcs, kernel->pcs, most[i].depth * sizeof(uintptr_t));
	return (0);
}

static void
print(const struct counted *c)
{
	struct stack9_symbol sym;
	uint32_t i;

	for (i = 0; i < c->depth; i++)
		if (stack9_name(c->pcs[i],
		    i == 0 && (c->flags & STACK9_EXACT_FIRST) ?
		    0 : STACK9_RETURN_ADDRESS, &sym) == 0)
			printf("  %s\n", sym.name);
		else
			printf("  %#lx\n", (unsigned long)c->pcs[i]);
	printf("    %llu\n\n", (unsigned long long)c->events);
}

static int
count(struct stack9_watcher *watch, int seconds)
{
	struct stack9_watch_tally tally;
	time_t end = time(NULL) + seconds;
	int error = 0;

	while ((error == 0 || error == EAGAIN) && time(NULL) < end)
		error = stack9_watch_read(watch, 100);
	stack9_watch_stop(watch);
	while (stack9_watch_read(watch, 0) == 0)
		;
	error = stack9_watch_counts(watch);
	stack9_watch_counted(watch, &tally);
	printf("%llu events, %llu stacks, %llu events not kept\n\n",
	    (unsigned long long)tally.events, (unsigned long long)tally.stacks,
	    (unsigned long long)(tally.events - tally.kept));
	return (error);
}

int
main(int argc, char **argv)
{
	static struct counted most[MOST];
	struct stack9_sink sink = { .what = STACK9_COUNT,
	    .side = STACK9_KERNEL, .fn = take, .arg = most };
	const char *event = argc > 1 ? argv[1] : "t:sched:sched_switch";
	struct stack9_watcher *watch;
	char reason[STACK9_REASON_MAX];
	int i, error;

	error = stack9_watch(event, NULL, &sink, &watch, reason);
	if (error != 0) {
		fprintf(stderr, "count: %s: %s\n", event, reason);
		return (error == EPERM || error == EOPNOTSUPP ? 77 : 1);
	}
	error = count(watch, argc > 2 ? atoi(argv[2]) : 1);
	stack9_watch_close(watch);
	for (i = 0; i < MOST; i++)
		if (most[i].events != 0)
			print(&most[i]);
	return (error == 0 ? 0 : 1);
}
