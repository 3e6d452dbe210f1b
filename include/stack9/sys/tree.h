/*
 * Implements the red-black trees of FreeBSD's tree(3).  A node has its links in
 * the field that RB_ENTRY() declares, so the tree allocates nothing.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_TREE_H
#define STACK9_SYS_TREE_H

#include <stddef.h>
#include <sys/cdefs.h>

/* The links of a node of any type.  NULL stands for a black leaf. */
struct stack9_rb {
	struct stack9_rb	*child[2];	/* left, right */
	struct stack9_rb	*parent;
	int			 red;
};

/* Turns the tree below n: its child on the other side becomes its parent. */
static inline void
stack9_rb_rotate(struct stack9_rb **root, struct stack9_rb *n, int side)
{
	struct stack9_rb *up = n->child[!side], *parent = n->parent;

	n->child[!side] = up->child[side];
	if (n->child[!side] != NULL)
		n->child[!side]->parent = n;
	up->child[side] = n;
	up->parent = parent;
	n->parent = up;
	if (parent == NULL)
		*root = up;
	else
		parent->child[parent->child[1] == n] = up;
}

/* Balances the tree after n was hung in as a red leaf. */
static inline void
stack9_rb_inserted(struct stack9_rb **root, struct stack9_rb *n)
{
	struct stack9_rb *parent, *grand, *uncle;
	int side;

	while ((parent = n->parent) != NULL && parent->red) {
		grand = parent->parent;
		side = grand->child[1] == parent;
		uncle = grand->child[!side];
		if (uncle != NULL && uncle->red) {
			parent->red = uncle->red = 0;
			grand->red = 1;
			n = grand;
			continue;
		}
		if (parent->child[!side] == n) {
			stack9_rb_rotate(root, parent, side);
			parent = n;
		}
		parent->red = 0;
		grand->red = 1;
		stack9_rb_rotate(root, grand, !side);
		break;
	}
	(*root)->red = 0;
}

/* Balances the tree after a black node went from side `side' of parent. */
static inline void
stack9_rb_removed(struct stack9_rb **root, struct stack9_rb *parent, int side)
{
	struct stack9_rb *n, *sibling, *far, *near;

	for (;;) {
		n = parent != NULL ? parent->child[side] : *root;
		if (n != NULL && n->red) {
			n->red = 0;
			return;
		}
		if (parent == NULL)
			return;
		sibling = parent->child[!side];
		if (sibling->red) {
			sibling->red = 0;
			parent->red = 1;
			stack9_rb_rotate(root, parent, side);
			sibling = parent->child[!side];
		}
		far = sibling->child[!side];
		near = sibling->child[side];
		if ((far == NULL || !far->red) &&
		    (near == NULL || !near->red)) {
			sibling->red = 1;
			n = parent;
			parent = n->parent;
			side = parent != NULL && parent->child[1] == n;
			continue;
		}
		if (far == NULL || !far->red) {
			near->red = 0;
			sibling->red = 1;
			stack9_rb_rotate(root, sibling, !side);
			far = sibling;
			sibling = near;
		}
		sibling->red = parent->red;
		parent->red = 0;
		far->red = 0;
		stack9_rb_rotate(root, parent, side);
		return;
	}
}

/* Puts `by', or nothing, in the place of n. */
static inline void
stack9_rb_replace(struct stack9_rb **root, struct stack9_rb *n,
    struct stack9_rb *by)
{
	if (n->parent == NULL)
		*root = by;
	else
		n->parent->child[n->parent->child[1] == n] = by;
	if (by != NULL)
		by->parent = n->parent;
}

static inline void
stack9_rb_remove(struct stack9_rb **root, struct stack9_rb *n)
{
	struct stack9_rb *next, *parent;
	int black, side;

	if (n->child[0] == NULL || n->child[1] == NULL) {
		parent = n->parent;
		side = parent != NULL && parent->child[1] == n;
		black = !n->red;
		stack9_rb_replace(root, n, n->child[n->child[0] == NULL]);
	} else {
		for (next = n->child[1]; next->child[0] != NULL;
		    next = next->child[0])
			continue;
		black = !next->red;
		parent = next->parent == n ? next : next->parent;
		side = next->parent == n;
		if (next->parent != n) {
			stack9_rb_replace(root, next, next->child[1]);
			next->child[1] = n->child[1];
			next->child[1]->parent = next;
		}
		stack9_rb_replace(root, n, next);
		next->child[0] = n->child[0];
		next->child[0]->parent = next;
		next->red = n->red;
	}
	if (black)
		stack9_rb_removed(root, parent, side);
}

/* The outermost node on one side, or NULL. */
static inline struct stack9_rb *
stack9_rb_outermost(struct stack9_rb *n, int side)
{
	while (n != NULL && n->child[side] != NULL)
		n = n->child[side];
	return (n);
}

/* The neighbour of n on one side, or NULL. */
static inline struct stack9_rb *
stack9_rb_step(struct stack9_rb *n, int side)
{
	if (n->child[side] != NULL)
		return (stack9_rb_outermost(n->child[side], !side));
	while (n->parent != NULL && n->parent->child[side] == n)
		n = n->parent;
	return (n->parent);
}

#define	RB_HEAD(name, type)						\
struct name {								\
	struct stack9_rb *rbh_root;					\
}
#define	RB_ENTRY(type)		struct stack9_rb
#define	RB_INITIALIZER(root)	{ NULL }
#define	RB_INIT(root)		((void)((root)->rbh_root = NULL))
#define	RB_EMPTY(root)		((root)->rbh_root == NULL)

#define	RB_PROTOTYPE(name, type, field, cmp)				\
	STACK9_RB_PROTOTYPE_(name, type, __attribute__((__unused__)))
#define	RB_PROTOTYPE_STATIC(name, type, field, cmp)			\
	STACK9_RB_PROTOTYPE_(name, type, __attribute__((__unused__)) static)
#define	STACK9_RB_PROTOTYPE_(name, type, how)				\
how struct type *name##_RB_INSERT(struct name *, struct type *);	\
how struct type *name##_RB_REMOVE(struct name *, struct type *);	\
how struct type *name##_RB_FIND(struct name *, struct type *);		\
how struct type *name##_RB_NFIND(struct name *, struct type *);		\
how struct type *name##_RB_MINMAX(struct name *, int);			\
how struct type *name##_RB_STEP(struct type *, int);

#define	RB_GENERATE(name, type, field, cmp)				\
	STACK9_RB_GENERATE_(name, type, field, cmp, __attribute__((__unused__)))
#define	RB_GENERATE_STATIC(name, type, field, cmp)			\
	STACK9_RB_GENERATE_(name, type, field, cmp,			\
	    __attribute__((__unused__)) static)
#define	STACK9_RB_GENERATE_(name, type, field, cmp, how)		\
static inline struct type *						\
stack9_rb_##name(struct stack9_rb *n)					\
{									\
	return (n == NULL ? NULL : __containerof(n, struct type, field)); \
}									\
how struct type *							\
name##_RB_INSERT(struct name *head, struct type *elm)			\
{									\
	struct stack9_rb **at = &head->rbh_root, *parent = NULL;	\
	while (*at != NULL) {						\
		const int order = cmp(elm, stack9_rb_##name(*at));	\
		if (order == 0)						\
			return (stack9_rb_##name(*at));			\
		parent = *at;						\
		at = &parent->child[order > 0];				\
	}								\
	elm->field.child[0] = elm->field.child[1] = NULL;		\
	elm->field.parent = parent;					\
	elm->field.red = 1;						\
	*at = &elm->field;						\
	stack9_rb_inserted(&head->rbh_root, &elm->field);		\
	return (NULL);							\
}									\
how struct type *							\
name##_RB_REMOVE(struct name *head, struct type *elm)			\
{									\
	stack9_rb_remove(&head->rbh_root, &elm->field);			\
	return (elm);							\
}									\
how struct type *							\
name##_RB_NFIND(struct name *head, struct type *key)			\
{									\
	struct stack9_rb *n = head->rbh_root, *above = NULL;		\
	while (n != NULL) {						\
		const int order = cmp(key, stack9_rb_##name(n));	\
		if (order == 0)						\
			return (stack9_rb_##name(n));			\
		if (order < 0)						\
			above = n;					\
		n = n->child[order > 0];				\
	}								\
	return (stack9_rb_##name(above));				\
}									\
how struct type *							\
name##_RB_FIND(struct name *head, struct type *key)			\
{									\
	struct type *elm = name##_RB_NFIND(head, key);			\
	return (elm != NULL && cmp(key, elm) == 0 ? elm : NULL);	\
}									\
how struct type *							\
name##_RB_MINMAX(struct name *head, int side)				\
{									\
	return (stack9_rb_##name(stack9_rb_outermost(head->rbh_root,	\
	    side)));							\
}									\
how struct type *							\
name##_RB_STEP(struct type *elm, int side)				\
{									\
	return (stack9_rb_##name(stack9_rb_step(&elm->field, side)));	\
}

/* The argument of RB_MIN() and RB_MAX() is the head, as in FreeBSD. */
#define	RB_INSERT(name, head, elm)	name##_RB_INSERT(head, elm)
#define	RB_REMOVE(name, head, elm)	name##_RB_REMOVE(head, elm)
#define	RB_FIND(name, head, key)	name##_RB_FIND(head, key)
#define	RB_NFIND(name, head, key)	name##_RB_NFIND(head, key)
#define	RB_MIN(name, head)		name##_RB_MINMAX(head, 0)
#define	RB_MAX(name, head)		name##_RB_MINMAX(head, 1)
#define	RB_NEXT(name, head, elm)	name##_RB_STEP(elm, 1)
#define	RB_PREV(name, head, elm)	name##_RB_STEP(elm, 0)

#define	RB_FOREACH(elm, name, head)					\
	for ((elm) = RB_MIN(name, head); (elm) != NULL;			\
	    (elm) = name##_RB_STEP(elm, 1))
#define	RB_FOREACH_SAFE(elm, name, head, next)				\
	for ((elm) = RB_MIN(name, head);				\
	    (elm) != NULL && ((next) = name##_RB_STEP(elm, 1), 1);	\
	    (elm) = (next))
#define	RB_FOREACH_REVERSE(elm, name, head)				\
	for ((elm) = RB_MAX(name, head); (elm) != NULL;			\
	    (elm) = name##_RB_STEP(elm, 0))
#define	RB_FOREACH_FROM(elm, name, from)				\
	for ((elm) = (from); (elm) != NULL; (elm) = name##_RB_STEP(elm, 1))

#endif /* STACK9_SYS_TREE_H */
