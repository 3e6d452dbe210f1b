/*
 * Runs a loader program as a light skeleton does, for an object whose sizes are
 * known only at run time.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "run_loader.h"

#include <errno.h>

#include <bpf/libbpf.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-function"
#include <bpf/skel_internal.h>
#pragma GCC diagnostic pop

int
s9_run_loader(const struct gen_loader_opts *made, size_t maps, size_t programs,
    int *map_fds, int *program_fds, size_t loaded)
{
	const size_t size = sizeof(struct bpf_loader_ctx) +
	    maps * sizeof(struct bpf_map_desc) +
	    programs * sizeof(struct bpf_prog_desc);
	struct bpf_loader_ctx *const ctx = calloc(1, size);
	struct bpf_load_and_run_opts opts = {.ctx = ctx, .data = made->data,
	    .data_sz = made->data_sz, .insns = made->insns,
	    .insns_sz = made->insns_sz};
	const struct bpf_map_desc *m = (const void *)(ctx + 1);
	const struct bpf_prog_desc *p = (const void *)(m + maps);
	int error;

	if (ctx == NULL)
		return -ENOMEM;
	ctx->sz = size;
	error = bpf_load_and_run(&opts);
	for (size_t i = 0; i < maps && error == 0; i++)
		map_fds[i] = m[i].map_fd;
	for (size_t i = 0; i < loaded && error == 0; i++)
		program_fds[i] = p[i].prog_fd;
	free(ctx);
	return error;
}
