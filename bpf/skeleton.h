/*
 * Defines images (image.h) from the light skeletons and objects that bpftool
 * makes.  Skeletons do not compile as C++, so only C files include this, before
 * their skeletons.
 *
 * The macros take the names of an object and of its members.  A name that the
 * skeleton does not have does not compile.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_SKELETON_H
#define STACK9_SKELETON_H

#include <errno.h>
#include <stddef.h>

#include <bpf/skel_internal.h>

#include "bpf/embed.h"
#include "bpf/image.h"

/* Takes a descriptor out of a skeleton, so that it outlives the skeleton: that
 * does not close a 0. */
static inline int
detach_fd(int *fd)
{
	const int from = *fd;

	*fd = 0;
	return from;
}

/* An image of an object x with one program; with a second one; with a map; with
 * both. */
#define	S9_IMAGE(x, program)						\
	S9_DEFINE_IMAGE(x, program, -1, NULL, -1, NULL)
#define	S9_IMAGE_OF_TWO(x, program, other)				\
	S9_DEFINE_IMAGE(x, program,					\
	    detach_fd(&skel->progs.other.prog_fd), #other, -1, NULL)
#define	S9_IMAGE_WITH_MAP(x, program, a_map)				\
	S9_DEFINE_IMAGE(x, program, -1, NULL,				\
	    detach_fd(&skel->maps.a_map.map_fd), #a_map)
#define	S9_IMAGE_OF_TWO_WITH_MAP(x, program, other, a_map)		\
	S9_DEFINE_IMAGE(x, program,					\
	    detach_fd(&skel->progs.other.prog_fd), #other,		\
	    detach_fd(&skel->maps.a_map.map_fd), #a_map)

#define	S9_DEFINE_IMAGE(x, program, second_fd, second_name, map_fd,	\
    map_name)								\
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
}									\
									\
S9_EMBED(x);								\
									\
const struct s9_image s9_image_##x = {					\
	load_##x, s9_bpf_##x, s9_bpf_##x##_end, #program, second_name,	\
	map_name							\
};

#endif /* STACK9_SKELETON_H */
