/*
 * Gives the size of the kernel's memory as code asks for it: a process may use
 * the memory of the machine.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_VM_VM_KERN_H
#define STACK9_VM_VM_KERN_H

#include <malloc.h>
#include <sys/vmmeter.h>
#include <vm/vm.h>
#include <vm/vm_map.h>

#define	vm_kmem_size							\
	((u_long)sysconf(_SC_PHYS_PAGES) * (u_long)sysconf(_SC_PAGESIZE))

#ifdef __GLIBC__	/* musl does not count them */
/* The bytes that libc's malloc() has given out. */
static inline vm_size_t
stack9_memory_used(void)
{
	return (mallinfo2().uordblks);
}

static inline struct vm_map *
stack9_kmem_map(void)
{
	static struct vm_map map;

	map.size = stack9_memory_used();
	return (&map);
}
#define	kmem_map		(stack9_kmem_map())
#define	VMEM_ALLOC		1
#define	vmem_size(arena, kind)	stack9_memory_used()
#define	uma_size()		stack9_memory_used()
#endif
#define	kmem_arena		NULL

#endif /* STACK9_VM_VM_KERN_H */
