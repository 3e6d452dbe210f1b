/*
 * Uses the trees and the lists of FreeBSD's <sys/tree.h> and <sys/queue.h>, and
 * asserts their order and the balance of a tree.  It is C and C++20.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/cdefs.h>
__FBSDID("$FreeBSD$");

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/queue.h>
#include <sys/tree.h>

#include "idioms.h"

struct node {
	RB_ENTRY(node)		n_tree;
	TAILQ_ENTRY(node)	n_tail;
	LIST_ENTRY(node)	n_list;
	SLIST_ENTRY(node)	n_single;
	STAILQ_ENTRY(node)	n_queue;
	u_int			n_key;
};

static int
node_compare(struct node *a, struct node *b)
{

	return (a->n_key < b->n_key ? -1 : a->n_key > b->n_key);
}

static RB_HEAD(nodes, node) tree = RB_INITIALIZER(&tree);
RB_PROTOTYPE_STATIC(nodes, node, n_tree, node_compare)
RB_GENERATE_STATIC(nodes, node, n_tree, node_compare)

/* Returns the number of black nodes on each way down; a tree that is not
 * balanced or not in order panics. */
static int
check_tree(struct stack9_rb *n, struct stack9_rb *parent)
{
	int left, right;

	if (n == NULL)
		return (1);
	MUST(n->parent == parent);
	MUST(!n->red || parent != NULL);
	MUST(!n->red || ((n->child[0] == NULL || !n->child[0]->red) &&
	    (n->child[1] == NULL || !n->child[1]->red)));
	left = check_tree(n->child[0], n);
	right = check_tree(n->child[1], n);
	MUST(left == right);
	return (left + !n->red);
}

void
trees(void)
{
	static struct node all[512];
	static u_char in[512];
	struct node key, *n, *next;
	u_int i, random, round, count;

	random = 1;
	count = 0;
	for (i = 0; i < nitems(all); i++)
		all[i].n_key = 2 * i;
	for (round = 0; round < 20000; round++) {
		random = random * 1103515245 + 12345;
		i = (random >> 8) % nitems(all);
		if (in[i]) {
			MUST(RB_REMOVE(nodes, &tree, &all[i]) == &all[i]);
			count--;
		} else {
			MUST(RB_INSERT(nodes, &tree, &all[i]) == NULL);
			MUST(RB_INSERT(nodes, &tree, &all[i]) == &all[i]);
			count++;
		}
		in[i] = !in[i];
		key.n_key = 2 * i;
		MUST((RB_FIND(nodes, &tree, &key) != NULL) == in[i]);
		if (round % 64 == 0)
			(void)check_tree(tree.rbh_root, NULL);
	}
	i = 0;
	RB_FOREACH(n, nodes, &tree) {
		MUST(in[n->n_key / 2]);
		next = RB_NEXT(nodes, &tree, n);
		MUST(next == NULL || (next->n_key > n->n_key &&
		    RB_PREV(nodes, &tree, next) == n));
		key.n_key = n->n_key + 1;
		MUST(RB_NFIND(nodes, &tree, &key) == next);
		i++;
	}
	MUST(i == count);
	RB_FOREACH_REVERSE(n, nodes, &tree)
		i--;
	MUST(i == 0 && RB_MIN(nodes, &tree) != RB_MAX(nodes, &tree));
	RB_FOREACH_SAFE(n, nodes, &tree, next)
		RB_REMOVE(nodes, &tree, n);
	MUST(RB_EMPTY(&tree));
}

static TAILQ_HEAD(, node) tail = TAILQ_HEAD_INITIALIZER(tail);
static LIST_HEAD(, node) list = LIST_HEAD_INITIALIZER(list);
static SLIST_HEAD(, node) single = SLIST_HEAD_INITIALIZER(single);
static STAILQ_HEAD(, node) queue = STAILQ_HEAD_INITIALIZER(queue);

void
queues(void)
{
	static struct node all[4];
	struct node *n, *next;
	u_int i;

	for (i = 0; i < nitems(all); i++) {
		TAILQ_INSERT_TAIL(&tail, &all[i], n_tail);
		LIST_INSERT_HEAD(&list, &all[i], n_list);
		SLIST_INSERT_HEAD(&single, &all[i], n_single);
		STAILQ_INSERT_TAIL(&queue, &all[i], n_queue);
	}
	TAILQ_FOREACH_SAFE(n, &tail, n_tail, next)
		TAILQ_REMOVE(&tail, n, n_tail);
	LIST_FOREACH_SAFE(n, &list, n_list, next)
		LIST_REMOVE(n, n_list);
	MUST(STAILQ_LAST(&queue, node, n_queue) == &all[3]);
	STAILQ_FOREACH_SAFE(n, &queue, n_queue, next)
		STAILQ_REMOVE_HEAD(&queue, n_queue);
	SLIST_FOREACH_SAFE(n, &single, n_single, next)
		SLIST_REMOVE_HEAD(&single, n_single);
	MUST(TAILQ_EMPTY(&tail) && LIST_EMPTY(&list) && STAILQ_EMPTY(&queue) &&
	    SLIST_EMPTY(&single));
}
