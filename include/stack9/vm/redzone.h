/*
 * Declares the functions of redzone(9).  The file that implements them is the
 * consumer's own.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_VM_REDZONE_H
#define STACK9_VM_REDZONE_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif
u_long	 redzone_get_size(caddr_t naddr);
u_long	 redzone_size_ntor(u_long nsize);
void	*redzone_addr_ntor(caddr_t naddr);
void	*redzone_setup(caddr_t raddr, u_long nsize);
void	 redzone_check(caddr_t naddr);
#ifdef __cplusplus
}
#endif

#endif /* STACK9_VM_REDZONE_H */
