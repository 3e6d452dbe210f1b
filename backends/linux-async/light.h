/*
 * Loads the BPF objects of asynchronous captures.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_ASYNC_LIGHT_H
#define STACK9_ASYNC_LIGHT_H

#ifdef __cplusplus
extern "C" {
#endif

/* Elements of the maps; ring: bytes, a power of two, a page at least. */
struct s9_async_sizes {
	unsigned int	slots;
	unsigned int	pieces;
	unsigned int	ring;
};

struct s9_async_fds {
	int	submit;
	int	at_tracepoint;
	int	at_sample;
	int	slots;
	int	pieces;
	int	works;
	int	ready;
};

/*
 * plain: the object async_plain, not async.  Only the light skeleton is used:
 * kernels that have task work can load it.  0, or a positive errno, and then
 * nothing is open.  ENOENT: the kernel lacks a function.
 */
int	s9_async_load(int plain, const struct s9_async_sizes *sizes,
	    struct s9_async_fds *fds);

#ifdef __cplusplus
}
#endif

#endif /* STACK9_ASYNC_LIGHT_H */
