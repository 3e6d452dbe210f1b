/*
 * A descriptor that outlives its skeleton.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_TAKEN_H
#define STACK9_TAKEN_H

/* From the skeleton, which then closes none. */
static inline int
taken(int *fd)
{
	const int from = *fd;

	*fd = 0;
	return from;
}

#endif /* STACK9_TAKEN_H */
