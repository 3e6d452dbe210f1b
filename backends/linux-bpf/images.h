/*
 * Lists the BPF objects of this backend, with the members that the process
 * uses.  A new object is a line here and its name in CMakeLists.txt.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_LINUX_BPF_IMAGES_H
#define STACK9_LINUX_BPF_IMAGES_H

#include "bpf/image.h"

/* The macros of bpf/skeleton.h, for each object x.bpf.c: IMAGE(x, program),
 * OF_TWO(x, program, second program), WITH_MAP(x, program, map),
 * TWO_WITH_MAP(x, program, second program, map). */
#define	S9_IMAGES(IMAGE, OF_TWO, WITH_MAP, TWO_WITH_MAP)		\
	OF_TWO(one, one, name)						\
	OF_TWO(one_vpid, one, name)	/* in the caller's pid namespace */ \
	WITH_MAP(tasks, tasks, wanted)					\
	WITH_MAP(ipi, ipi, seen)					\
	WITH_MAP(perf, perf, samples)					\
	IMAGE(name, name)						\
	IMAGE(wait, wait)						\
	IMAGE(state, state)						\
	WITH_MAP(threads, threads, seen)				\
	IMAGE(user, user)						\
	TWO_WITH_MAP(user_one, user_one, name, slots)			\
	WITH_MAP(user_ipi, user_ipi, seen)

#ifdef __cplusplus
extern "C" {
#endif

#define	S9_DECLARE_IMAGE(x, ...)					\
	extern const struct s9_image s9_image_##x;
S9_IMAGES(S9_DECLARE_IMAGE, S9_DECLARE_IMAGE, S9_DECLARE_IMAGE,
    S9_DECLARE_IMAGE)
#undef S9_DECLARE_IMAGE

#ifdef __cplusplus
}
#endif

#endif /* STACK9_LINUX_BPF_IMAGES_H */
