/*
 * Gives struct vm_map with its size.  This is all that code outside the virtual
 * memory system reads of it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_VM_VM_MAP_H
#define STACK9_VM_VM_MAP_H

#include <sys/param.h>
#include <vm/vm.h>

struct vm_map {
	vm_size_t	size;
};

#endif /* STACK9_VM_VM_MAP_H */
