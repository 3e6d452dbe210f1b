/*
 * Writes the stacks of a thread as text, and names the frames of such a text
 * later: when the thread has ended, or on another machine that has the files.
 *
 *	offline write tid > stack
 *	offline name directory ... < stack
 *
 * Files are found by their build-ids in directories such as /usr/lib/debug, or
 * in directories of plain files.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stack9.h>

static int
write_stack(pid_t tid)
{
	struct stack9_thread td;
	struct stack9_sample *sample;
	int error;

	if ((error = stack9_thread_find(tid, &td)) != 0 ||
	    (error = stack9_save(&td, STACK9_BOTH, NULL, &sample)) != 0) {
		fprintf(stderr, "offline: %s\n", stack9_reason());
		return (error == EPERM || error == EOPNOTSUPP ? 77 : 1);
	}
	error = stack9_write_text(sample, 0, NULL, NULL);
	stack9_sample_close(sample);
	return (error != 0);
}

static int
name_stacks(const char *text, size_t size, char **paths, int count)
{
	struct stack9_space *files = NULL;
	struct stack9_sample *sample;
	size_t used;
	int error;

	error = stack9_space_open_build_ids((const char *const *)paths,
	    (uint32_t)count, &files);
	while (error == 0 && (error = stack9_read_text(files, text, size,
	    &used, &sample)) == 0) {
		stack9_print(sample, STACK9_FRAMES_LINES, NULL, NULL);
		stack9_sample_close(sample);
		text += used;
		size -= used;
	}
	if (error != ENOENT)
		fprintf(stderr, "offline: %s\n", stack9_reason());
	stack9_space_close(files);
	return (error != ENOENT);
}

int
main(int argc, char **argv)
{
	static char text[1 << 20];
	size_t size;

	if (argc == 3 && strcmp(argv[1], "write") == 0)
		return (write_stack(atoi(argv[2])));
	if (argc < 2 || strcmp(argv[1], "name") != 0) {
		fprintf(stderr, "usage: offline write tid | "
		    "name directory ...\n");
		return (2);
	}
	size = fread(text, 1, sizeof text, stdin);
	return (name_stacks(text, size, argv + 2, argc - 2));
}
