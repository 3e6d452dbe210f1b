/*
 * Lets files include FreeBSD's <vm/vm_page.h> for its types.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_VM_VM_PAGE_H
#define STACK9_VM_VM_PAGE_H

#include <sys/param.h>
#include <vm/vm.h>

#endif /* STACK9_VM_VM_PAGE_H */
