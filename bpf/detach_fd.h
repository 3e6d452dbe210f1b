/*
 * Takes a descriptor out of a skeleton, so that it outlives the skeleton.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_DETACH_FD_H
#define STACK9_DETACH_FD_H

/* The skeleton holds 0 then, which it does not close. */
static inline int
detach_fd(int *fd)
{
	const int from = *fd;

	*fd = 0;
	return from;
}

#endif /* STACK9_DETACH_FD_H */
