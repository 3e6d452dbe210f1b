/*
 * Captures and names the stacks of its own process, as a program does that
 * links the component in_process; another process is refused in words.  With
 * STACK9_EMULATED in the environment it may be run by qemu.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include <stack9.h>
#include <stack9_frames.h>
#include <stack9/sys/sbuf.h>
#include <stack9/sys/stack.h>

static int failed;

static void
must(int is, const char *sentence)
{

	printf("%s %s\n", is ? "ok" : "not ok", sentence);
	failed |= !is;
}

__attribute__((noinline)) static void
print_own(struct sbuf *sb)
{
	struct stack st;

	stack_zero(&st);
	stack_save(&st);
	stack_sbuf_print(sb, &st);
}

static int
each_frame(void *arg, const struct stack9_frame *f)
{

	*(int *)arg |= strcmp(f->name, "main") == 0 &&
	    strstr(f->module, "inside") != NULL && f->start != 0;
	return (0);
}

int
main(int argc, char **argv)
{
	struct stack9_thread td;
	struct stack9_sample *sample;
	struct stack9_space *space;
	struct sbuf *sb;
	int error, found;

	(void)argv;
	sb = sbuf_new_auto();
	print_own(sb);
	sbuf_finish(sb);
	fputs(sbuf_data(sb), stdout);
	must(strstr(sbuf_data(sb), "print_own+0x") != NULL &&
	    strstr(sbuf_data(sb), "main+0x") != NULL,
	    "stack_sbuf_print(9) names static functions");
	sbuf_delete(sb);

	found = 0;
	sample = NULL;
	stack9_thread_self(&td);
	error = stack9_save(&td, STACK9_USER, NULL, &sample);
	must(error == 0, "stack9_save(3) captures the caller");
	if (sample != NULL)
		stack9_frames(sample->user, 0, each_frame, &found);
	if (!found && getenv("STACK9_EMULATED") != NULL)
		puts("ok stack9_frames(3) knows its names and modules # SKIP "
		    "qemu maps code that cannot be executed");
	else
		must(found, "stack9_frames(3) knows its names and modules");
	stack9_sample_close(sample);

	sample = NULL;
	error = stack9_thread_find(getppid(), &td);
	if (error == 0)
		error = stack9_save(&td, STACK9_USER, NULL, &sample);
	if (sample != NULL)
		printf("# %s\n", sample->user->reason);
	must(argc < 2 || error == EOPNOTSUPP,
	    "another process is refused by a library for its own only");
	stack9_sample_close(sample);
	space = NULL;
	error = stack9_space_open_file("/proc/self/exe", &space);
	must(argc < 2 || (error == EOPNOTSUPP && space == NULL),
	    "so is a file that it would have to open");
	return (failed);
}
