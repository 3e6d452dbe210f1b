/*
 * The skeletons, light and plain: the one file that includes them.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "bpf/light.h"

#include <errno.h>

#include "bpf/detach_fd.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#include <bpf/skel_internal.h>

#include "one.light.h"
#include "one_vpid.light.h"
#include "tasks.light.h"
#include "ipi.light.h"
#include "perf.light.h"
#include "name.light.h"
#include "user.light.h"
#include "user_one.light.h"
#include "user_ipi.light.h"

#include "one.elf.h"
#include "one_vpid.elf.h"
#include "tasks.elf.h"
#include "ipi.elf.h"
#include "perf.elf.h"
#include "name.elf.h"
#include "user.elf.h"
#include "user_one.elf.h"
#include "user_ipi.elf.h"
#pragma GCC diagnostic pop

/* A light skeleton of object x: its descriptors without the skeleton. */
#define	LIGHT(x, program, second_fd, map_fd)				\
static int								\
load_##x(struct s9_fds *fds)						\
{									\
	struct light_##x *skel = light_##x##__open();			\
	int error;							\
									\
	if (skel == NULL)						\
		return -ENOMEM;						\
	error = light_##x##__load(skel);				\
	if (error == 0) {						\
		fds->prog = detach_fd(&skel->progs.program.prog_fd);	\
		fds->second = second_fd;				\
		fds->map = map_fd;					\
	}								\
	light_##x##__destroy(skel);					\
	return error;							\
}

LIGHT(one, one, detach_fd(&skel->progs.name.prog_fd), -1)
LIGHT(one_vpid, one, detach_fd(&skel->progs.name.prog_fd), -1)
LIGHT(tasks, tasks, -1, detach_fd(&skel->maps.wanted.map_fd))
LIGHT(ipi, ipi, -1, detach_fd(&skel->maps.seen.map_fd))
LIGHT(perf, perf, -1, detach_fd(&skel->maps.samples.map_fd))
LIGHT(name, name, -1, -1)
LIGHT(user, user, -1, -1)
LIGHT(user_one, user_one, -1, detach_fd(&skel->maps.slots.map_fd))
LIGHT(user_ipi, user_ipi, -1, detach_fd(&skel->maps.seen.map_fd))

static const struct {
	int		(*load)(struct s9_fds *);
	const void	*(*elf)(size_t *);
	const char	*prog, *second, *map;
} objects[] = {
	[S9_OBJECT_ONE] = {load_one, elf_one__elf_bytes, "one", "name", NULL},
	[S9_OBJECT_ONE_VPID] = {load_one_vpid, elf_one_vpid__elf_bytes,
	    "one", "name", NULL},
	[S9_OBJECT_TASKS] = {load_tasks, elf_tasks__elf_bytes, "tasks", NULL,
	    "wanted"},
	[S9_OBJECT_IPI] = {load_ipi, elf_ipi__elf_bytes, "ipi", NULL, "seen"},
	[S9_OBJECT_PERF] = {load_perf, elf_perf__elf_bytes, "perf", NULL,
	    "samples"},
	[S9_OBJECT_NAME] = {load_name, elf_name__elf_bytes, "name", NULL,
	    NULL},
	[S9_OBJECT_USER] = {load_user, elf_user__elf_bytes, "user", NULL,
	    NULL},
	[S9_OBJECT_USER_ONE] = {load_user_one, elf_user_one__elf_bytes,
	    "user_one", NULL, "slots"},
	[S9_OBJECT_USER_IPI] = {load_user_ipi, elf_user_ipi__elf_bytes,
	    "user_ipi", NULL, "seen"},
};

int
s9_light_load(enum s9_object which, struct s9_fds *fds)
{
	fds->prog = fds->second = fds->map = -1;
	return -objects[which].load(fds);
}

struct s9_elf
s9_elf_of(enum s9_object which)
{
	struct s9_elf elf = {NULL, 0, objects[which].prog,
	    objects[which].second, objects[which].map};

	elf.bytes = objects[which].elf(&elf.size);
	return elf;
}
