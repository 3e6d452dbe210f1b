/*
 * Declares Solaris' kmem(9) as FreeBSD does.  The file that implements it is
 * the consumer's own: opensolaris_kmem.c.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_KMEM_H
#define STACK9_SYS_KMEM_H

#include <sys/malloc.h>
#include <sys/types.h>
#include <sys/vmem.h>
#include <sys/vmmeter.h>
#include <vm/uma.h>

#define	KM_SLEEP	M_WAITOK
#define	KM_PUSHPAGE	M_WAITOK
#define	KM_NOSLEEP	M_NOWAIT
#define	KM_NODEBUG	M_NODUMP
#define	KM_NORMALPRI	0
#define	KMC_NODEBUG	UMA_ZONE_NODUMP

typedef struct kmem_cache {
	char		 kc_name[32];
	uma_zone_t	 kc_zone;
	size_t		 kc_size;
	int		(*kc_constructor)(void *, void *, int);
	void		(*kc_destructor)(void *, void *);
	void		*kc_private;
} kmem_cache_t;

/* Until FreeBSD 10 vm_cnt had this name. */
static struct vmmeter cnt __attribute__((__unused__));
static inline void __attribute__((__constructor__(101)))
stack9_fill_cnt(void)
{
	cnt = stack9_vmmeter();
}

#ifdef __cplusplus
extern "C" {
#endif
void	*zfs_kmem_alloc(size_t size, int flags);
void	 zfs_kmem_free(void *p, size_t size);
uint64_t kmem_size(void);
uint64_t kmem_used(void);
int	 kmem_debugging(void);
void	 kmem_reap(void);
kmem_cache_t *kmem_cache_create(char *name, size_t size, size_t align,
	    int (*constructor)(void *, void *, int),
	    void (*destructor)(void *, void *), void (*reclaim)(void *),
	    void *arg, vmem_t *from, int flags);
void	 kmem_cache_destroy(kmem_cache_t *cache);
void	*kmem_cache_alloc(kmem_cache_t *cache, int flags);
void	 kmem_cache_free(kmem_cache_t *cache, void *p);
void	 kmem_cache_reap_now(kmem_cache_t *cache);
#ifdef __cplusplus
}
#endif

#define	kmem_alloc(size, flags)		zfs_kmem_alloc((size), (flags))
#define	kmem_zalloc(size, flags)	zfs_kmem_alloc((size), (flags) | M_ZERO)
#define	kmem_free(p, size)		zfs_kmem_free((p), (size))

#endif /* STACK9_SYS_KMEM_H */
