/*
 * Runs a loader program that libbpf has made.
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
 * maps and programs are the numbers of the object; loaded is the number of the
 * programs that are to be loaded.  Descriptors come in the object's order.
 * 0, or a negative errno.
 */
int	s9_run_loader(const struct gen_loader_opts *, size_t maps,
	    size_t programs, int *map_fds, int *program_fds, size_t loaded);

#ifdef __cplusplus
}
#endif

#endif /* STACK9_RUN_LOADER_H */
