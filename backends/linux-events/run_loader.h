/*
 * Running a loader program, as libbpf makes them.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_RUN_LOADER_H
#define STACK9_RUN_LOADER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gen_loader_opts;

/*
 * maps and programs are how many the object has, loaded how many of the
 * programs are to be loaded; their descriptors in the object's order.
 * 0, or a negative errno.
 */
int	s9_run_loader(const struct gen_loader_opts *, size_t maps,
	    size_t programs, int *map_fds, int *program_fds, size_t loaded);

#ifdef __cplusplus
}
#endif

#endif /* STACK9_RUN_LOADER_H */
