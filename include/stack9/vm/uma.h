/*
 * Implements zone(9) over malloc(9): a zone keeps no items of its own, so each
 * is constructed when it is allocated and destroyed when it is freed.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_VM_UMA_H
#define STACK9_VM_UMA_H

#include <stdlib.h>
#include <sys/malloc.h>
#include <sys/types.h>

typedef int (*uma_ctor)(void *mem, int size, void *arg, int flags);
typedef void (*uma_dtor)(void *mem, int size, void *arg);
typedef int (*uma_init)(void *mem, int size, int flags);
typedef void (*uma_fini)(void *mem, int size);

typedef struct uma_zone {
	const char	*uz_name;
	size_t		 uz_size;
	uma_ctor	 uz_ctor;
	uma_dtor	 uz_dtor;
	uma_init	 uz_init;
	uma_fini	 uz_fini;
	u_int		 uz_flags;
} *uma_zone_t;

/* Alignments are masks.  Those of malloc() and less are given. */
#define	UMA_ALIGN_PTR		(sizeof(void *) - 1)
#define	UMA_ALIGN_LONG		(sizeof(long) - 1)
#define	UMA_ALIGN_INT		(sizeof(int) - 1)
#define	UMA_ALIGN_SHORT		(sizeof(short) - 1)
#define	UMA_ALIGN_CHAR		0

#define	UMA_ZONE_ZINIT		0x0002
/* These are about the pages of a zone, and a zone has none here. */
#define	UMA_ZONE_PAGEABLE	0
#define	UMA_ZONE_NOFREE		0
#define	UMA_ZONE_NODUMP		0
#define	UMA_ZONE_VM		0
#define	UMA_ZONE_SMR		0

static inline uma_zone_t
uma_zcreate(const char *name, size_t size, uma_ctor ctor, uma_dtor dtor,
    uma_init zinit, uma_fini fini, int align, uint32_t flags)
{
	uma_zone_t zone = (uma_zone_t)stack9_malloc(sizeof(*zone), M_TEMP,
	    M_WAITOK);

	(void)align;
	zone->uz_name = name;
	zone->uz_size = size;
	zone->uz_ctor = ctor;
	zone->uz_dtor = dtor;
	zone->uz_init = zinit;
	zone->uz_fini = fini;
	zone->uz_flags = flags;
	return (zone);
}

static inline void
uma_zdestroy(uma_zone_t zone)
{
	(free)(zone);
}

static inline void *
uma_zalloc_arg(uma_zone_t zone, void *arg, int flags)
{
	const int size = (int)zone->uz_size;
	void *p = stack9_malloc(zone->uz_size, M_TEMP, flags |
	    ((zone->uz_flags & UMA_ZONE_ZINIT) != 0 ? M_ZERO : 0));

	if (p == NULL)
		return (NULL);
	if (zone->uz_init != NULL && zone->uz_init(p, size, flags) != 0) {
		(free)(p);
		return (NULL);
	}
	if (zone->uz_ctor != NULL && zone->uz_ctor(p, size, arg, flags) != 0) {
		if (zone->uz_fini != NULL)
			zone->uz_fini(p, size);
		(free)(p);
		return (NULL);
	}
	return (p);
}

static inline void
uma_zfree_arg(uma_zone_t zone, void *p, void *arg)
{
	if (p == NULL)
		return;
	if (zone->uz_dtor != NULL)
		zone->uz_dtor(p, (int)zone->uz_size, arg);
	if (zone->uz_fini != NULL)
		zone->uz_fini(p, (int)zone->uz_size);
	(free)(p);
}

#define	uma_zalloc(zone, flags)	uma_zalloc_arg((zone), NULL, (flags))
#define	uma_zfree(zone, p)	uma_zfree_arg((zone), (p), NULL)

/* A zone keeps nothing that could be given back. */
#define	zone_drain(zone)		((void)(zone))
#define	uma_zone_reclaim(zone, how)	((void)(zone))
#define	uma_reclaim(...)		do { } while (0)

#endif /* STACK9_VM_UMA_H */
