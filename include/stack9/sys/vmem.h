/*
 * Gives the names of Solaris' vmem(9) that its memory allocator is asked by.
 * There are no arenas: libc's malloc() has all memory.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_VMEM_H
#define STACK9_SYS_VMEM_H

#include <sys/_solaris.h>
#include <vm/vm_kern.h>

typedef struct vmem vmem_t;

#endif /* STACK9_SYS_VMEM_H */
