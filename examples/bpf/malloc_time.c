/*
 * Prints the time that a process spends in malloc(3) by the stacks that call
 * it: a tool of libbpf's that gets its stacks from the library's programs.
 *
 *	malloc_time object pid [seconds]
 *
 * The exit status is 77 if this machine cannot do it, or this user may not.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <bpf/libbpf.h>
#include <stack9_rules.h>

#define	MOST	1000

static struct { struct stack9_sample *of; unsigned long long ns, calls; }
    all[MOST];
static struct stack9_rules *rules;

/* Both ways lead here.  The cookie is the time. */
static int
add(void *arg, const struct stack9_sample *s)
{
	int i;

	(void)arg;
	for (i = 0; i < MOST && all[i].of != NULL; i++)
		if (stack9_stack_same(all[i].of->user, s->user))
			break;
	if (i == MOST)
		return (0);
	if (all[i].of == NULL)
		all[i].of = stack9_sample_hold(s);
	all[i].ns += s->cookie;
	all[i].calls++;
	return (0);
}

static int
stored(void *arg, void *stack, size_t size)
{
	stack9_rules_sample(rules, stack, size, add, arg);
	return (0);
}

static int
print(void *arg, const struct stack9_frame *f)
{
	(void)arg;
	printf("  %s\n", f->name[0] != '\0' ? f->name : "?");
	return (0);
}

static int
fail(const char *what, int error)
{
	fprintf(stderr, "malloc_time: %s: %s\n", what, stack9_reason());
	return (error == EPERM || error == EOPNOTSUPP ? 77 : 1);
}

int
main(int argc, char **argv)
{
	const char *object = argc > 2 ? argv[1] : "malloc_time.bpf.o";
	const int seconds = argc > 3 ? atoi(argv[3]) : 1;
	const pid_t pid = argc > 2 ? atoi(argv[2]) : -1;
	LIBBPF_OPTS(bpf_uprobe_opts, entry, .func_name = "malloc");
	LIBBPF_OPTS(bpf_uprobe_opts, leave, .func_name = "malloc",
	    .retprobe = true);
	struct bpf_object *o = bpf_object__open_file(object, NULL);
	unsigned long long lost = 0;
	struct ring_buffer *ring;
	int error = stack9_rules_open(NULL, &rules);

	if (error != 0)
		return (fail("rules", error));
	if (o == NULL || stack9_rules_attach(rules, o) != 0 ||
	    bpf_object__load(o) != 0)
		return (fail(object, 0));
	ring = ring_buffer__new(bpf_object__find_map_fd_by_name(o, "stacks"),
	    stored, NULL, NULL);
	if (ring == NULL || bpf_program__attach_uprobe_opts(
	    bpf_object__find_program_by_name(o, "at_return"), pid,
	    "libc.so.6", 0, &leave) == NULL || bpf_program__attach_uprobe_opts(
	    bpf_object__find_program_by_name(o, "at_entry"), pid,
	    "libc.so.6", 0, &entry) == NULL)
		return (fail("malloc", EOPNOTSUPP));
	/* Loading may take seconds on a busy machine. */
	const time_t end = time(NULL) + seconds;
	while (time(NULL) < end) {
		stack9_rules_read(rules, 10, add, NULL);
		ring_buffer__consume(ring);
	}
	bpf_map__lookup_elem(bpf_object__find_map_by_name(o, "lost"), &(int){0},
	    sizeof(int), &lost, sizeof(lost), 0);
	stack9_rules_stop(rules);
	while (stack9_rules_read(rules, 0, add, NULL) == 0)
		continue;
	ring_buffer__consume(ring);
	for (int i = 0; i < MOST && all[i].of != NULL; i++) {
		stack9_frames(all[i].of->user, 0, print, NULL);
		printf("    %llu ns in %llu calls\n\n", all[i].ns,
		    all[i].calls);
		stack9_sample_close(all[i].of);
	}
	printf("%llu calls lost\n", lost);
	bpf_object__close(o);
	stack9_rules_close(rules);
	return (0);
}
