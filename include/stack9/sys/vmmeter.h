/*
 * Gives the two counts of FreeBSD's <sys/vmmeter.h> that kernel code sizes
 * itself by.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_VMMETER_H
#define STACK9_SYS_VMMETER_H

#include <sys/param.h>

struct vmmeter {
	u_int	v_page_size;
	u_int	v_page_count;	/* of the machine's memory */
};

static inline struct vmmeter
stack9_vmmeter(void)
{
	struct vmmeter m;

	m.v_page_size = (u_int)sysconf(_SC_PAGESIZE);
	m.v_page_count = (u_int)sysconf(_SC_PHYS_PAGES);
	return (m);
}
#define	vm_cnt	(stack9_vmmeter())

#endif /* STACK9_SYS_VMMETER_H */
