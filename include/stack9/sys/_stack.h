/*
 * Declares struct stack alone, for headers that embed one.  This is FreeBSD's
 * <sys/_stack.h>.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_SYS__STACK_H
#define STACK9_SYS__STACK_H

#include <stdint.h>

#ifndef _VM_OFFSET_T_DECLARED
typedef uintptr_t vm_offset_t;
#define	_VM_OFFSET_T_DECLARED
#endif

#define	STACK_MAX	18	/* part of the ABI: it sizes struct stack */

struct stack {
	int		depth;		/* frames in use, 0 to STACK_MAX */
	vm_offset_t	pcs[STACK_MAX];	/* return addresses, innermost first */
};

#endif /* STACK9_SYS__STACK_H */
