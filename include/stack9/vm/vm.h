/*
 * Gives the types of FreeBSD's <vm/vm.h>.  A process does not see the kernel's
 * memory, so the objects that they refer to are not here.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_VM_VM_H
#define STACK9_VM_VM_H

#include <sys/types.h>

typedef u_char vm_prot_t;

#define	VM_PROT_NONE	((vm_prot_t)0x00)
#define	VM_PROT_READ	((vm_prot_t)0x01)
#define	VM_PROT_WRITE	((vm_prot_t)0x02)
#define	VM_PROT_EXECUTE	((vm_prot_t)0x04)

typedef struct vm_map *vm_map_t;
typedef struct vm_object *vm_object_t;
typedef struct vm_page *vm_page_t;
typedef struct pmap *pmap_t;

#endif /* STACK9_VM_VM_H */
