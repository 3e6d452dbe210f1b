/*
 * Computes how often tree.c goes each of its ways.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef TREE_H
#define TREE_H

enum {
	tree_levels = 16,
	tree_paths = 1 << tree_levels,	/* at most */
	tree_visits = 7			/* of a way, at most */
};

static inline unsigned
tree_truth(unsigned path)
{
	return (1 + path % tree_visits);
}

#endif
