/*
 * A descriptor that outlives its skeleton.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_DETACH_FD_H
#define STACK9_DETACH_FD_H

/* From the skeleton, which then closes none. */
static inline int
detach_fd(int *fd)
{
	const int from = *fd;

	*fd = 0;
	return from;
}

#endif /* STACK9_DETACH_FD_H */
