/*
 * Writes the user stack of a thread as places in files, and names such places
 * later: when the thread has ended, or on another machine that has the files.
 *
 *	offline write tid > stack
 *	offline name < stack
 *
 * A place is a line: a build-id, an address of the ELF image, and the path that
 * the file had.  A file with another build-id names nothing.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stack9.h>

static int
write_place(void *arg, const struct stack9_frame *f)
{
	(void)arg;
	for (uint32_t i = 0; i < f->build_id_size; i++)
		printf("%02x", f->build_id[i]);
	printf("%s %" PRIx64 " %s\n", f->build_id_size == 0 ? "-" : "",
	    f->vaddr, f->module);
	return (0);
}

static int
write_stack(pid_t tid)
{
	struct stack9_thread td;
	struct stack9_sample *sample;
	int error;

	if ((error = stack9_thread_find(tid, &td)) != 0 ||
	    (error = stack9_save(&td, STACK9_USER, NULL, &sample)) != 0) {
		fprintf(stderr, "offline: %s\n", stack9_reason());
		return (error == EPERM || error == EOPNOTSUPP ? 77 : 1);
	}
	stack9_frames(sample->user, STACK9_FRAMES_PLACES, write_place, NULL);
	stack9_sample_close(sample);
	return (0);
}

struct named {
	const char *build_id;
	int	done;
};

static int
print_name(void *arg, const struct stack9_frame *f)
{
	struct named *n = arg;
	char id[129] = "-";

	for (uint32_t i = 0; i < f->build_id_size && i < 64; i++)
		sprintf(id + 2 * i, "%02x", f->build_id[i]);
	if (strcmp(id, n->build_id) != 0 || f->name[0] == '\0')
		return (1);
	printf("%s+0x%" PRIx64 "\n", f->name, f->offset);
	n->done = 1;
	return (0);
}

static void
name_place(const char *build_id, uint64_t vaddr, const char *path, int first)
{
	struct stack9_space *file;
	struct named n = { build_id, 0 };

	if (stack9_space_open_file(path, &file) == 0) {
		stack9_frame_at(file, vaddr, first ? 0 : STACK9_FRAMES_RETURN,
		    print_name, &n);
		stack9_space_close(file);
	}
	if (!n.done)
		printf("?? at %" PRIx64 " of %s\n", vaddr, path);
}

int
main(int argc, char **argv)
{
	char line[4400], build_id[129], path[4097];
	uint64_t vaddr;
	int first = 1;

	if (argc == 3 && strcmp(argv[1], "write") == 0)
		return (write_stack(atoi(argv[2])));
	if (argc != 2 || strcmp(argv[1], "name") != 0) {
		fprintf(stderr, "usage: offline write tid | name\n");
		return (2);
	}
	while (fgets(line, sizeof line, stdin) != NULL) {
		if (sscanf(line, "%128s %" SCNx64 " %4096[^\n]", build_id,
		    &vaddr, path) == 3)
			name_place(build_id, vaddr, path, first);
		first = 0;
	}
	return (0);
}
