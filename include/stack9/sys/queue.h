/*
 * Adds to glibc's <sys/queue.h> the macros of queue(3) that it lacks.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#if __has_include_next(<sys/queue.h>)	/* musl has none */
#include_next <sys/queue.h>
#endif

#ifndef STACK9_SYS_QUEUE_H
#define STACK9_SYS_QUEUE_H

#include <stddef.h>

#ifndef SLIST_FOREACH_SAFE
#define	SLIST_FOREACH_SAFE(var, head, field, next)			\
	for ((var) = SLIST_FIRST(head);					\
	    (var) != NULL && ((next) = SLIST_NEXT((var), field), 1);	\
	    (var) = (next))
#endif
#ifndef LIST_FOREACH_SAFE
#define	LIST_FOREACH_SAFE(var, head, field, next)			\
	for ((var) = LIST_FIRST(head);					\
	    (var) != NULL && ((next) = LIST_NEXT((var), field), 1);	\
	    (var) = (next))
#endif
#ifndef STAILQ_FOREACH_SAFE
#define	STAILQ_FOREACH_SAFE(var, head, field, next)			\
	for ((var) = STAILQ_FIRST(head);				\
	    (var) != NULL && ((next) = STAILQ_NEXT((var), field), 1);	\
	    (var) = (next))
#endif
#ifndef TAILQ_FOREACH_SAFE
#define	TAILQ_FOREACH_SAFE(var, head, field, next)			\
	for ((var) = TAILQ_FIRST(head);					\
	    (var) != NULL && ((next) = TAILQ_NEXT((var), field), 1);	\
	    (var) = (next))
#endif
#ifndef TAILQ_FOREACH_REVERSE_SAFE
#define	TAILQ_FOREACH_REVERSE_SAFE(var, head, headname, field, next)	\
	for ((var) = TAILQ_LAST(head, headname);			\
	    (var) != NULL &&						\
	    ((next) = TAILQ_PREV((var), headname, field), 1);		\
	    (var) = (next))
#endif
#ifndef LIST_FOREACH_FROM
#define	LIST_FOREACH_FROM(var, head, field)				\
	for ((var) = (var) != NULL ? (var) : LIST_FIRST(head);		\
	    (var) != NULL; (var) = LIST_NEXT((var), field))
#define	TAILQ_FOREACH_FROM(var, head, field)				\
	for ((var) = (var) != NULL ? (var) : TAILQ_FIRST(head);		\
	    (var) != NULL; (var) = TAILQ_NEXT((var), field))
#endif
#ifndef STAILQ_LAST
#define	STAILQ_LAST(head, type, field)					\
	(STAILQ_EMPTY(head) ? NULL : __containerof((head)->stqh_last,	\
	    struct type, field.stqe_next))
#endif
#ifndef SLIST_REMOVE_AFTER
#define	SLIST_REMOVE_AFTER(elm, field)					\
	(SLIST_NEXT(elm, field) = SLIST_NEXT(SLIST_NEXT(elm, field), field))
#endif

/* Nothing checks or poisons links. */
#ifndef TRASHIT
#define	TRASHIT(x)
#endif

#endif /* STACK9_SYS_QUEUE_H */
