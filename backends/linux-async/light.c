/*
 * Includes the light skeletons of asynchronous captures, as the one file that
 * does.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "light.h"

#include "bpf/skeleton.h"
#include "skeletons.h"

#define	LOAD(x)								\
static int								\
load_##x(const struct s9_async_sizes *sizes, struct s9_async_fds *fds)	\
{									\
	struct light_##x *skel = light_##x##__open();			\
	int error;							\
									\
	if (skel == NULL)						\
		return -ENOMEM;						\
	skel->maps.slots.max_entries = sizes->slots;			\
	skel->maps.pieces.max_entries = sizes->pieces;			\
	skel->maps.works.max_entries = sizes->slots;			\
	skel->maps.ready.max_entries = sizes->ring;			\
	error = light_##x##__load(skel);				\
	if (error == 0) {						\
		fds->submit = detach_fd(&skel->progs.submit.prog_fd);	\
		fds->at_tracepoint =					\
		    detach_fd(&skel->progs.at_tracepoint.prog_fd);	\
		fds->at_sample = detach_fd(&skel->progs.at_sample.prog_fd);\
		fds->slots = detach_fd(&skel->maps.slots.map_fd);	\
		fds->pieces = detach_fd(&skel->maps.pieces.map_fd);	\
		fds->works = detach_fd(&skel->maps.works.map_fd);	\
		fds->ready = detach_fd(&skel->maps.ready.map_fd);	\
	}								\
	light_##x##__destroy(skel);					\
	return error;							\
}

LOAD(async)
LOAD(async_plain)

int
s9_async_load(int plain, const struct s9_async_sizes *sizes,
    struct s9_async_fds *fds)
{
	return -(plain ? load_async_plain : load_async)(sizes, fds);
}
