/*
 * Adds FreeBSD's types to glibc's <sys/types.h>.  Where glibc
 * leaves out u_int and the like, they are here.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#include "_visible.h"
#include_next <sys/types.h>

#ifndef STACK9_SYS_TYPES_H
#define STACK9_SYS_TYPES_H

#include <stdint.h>

#ifndef __u_char_defined
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
#define	__u_char_defined
#endif
#ifndef __daddr_t_defined
typedef int daddr_t;
typedef char *caddr_t;
#define	__daddr_t_defined
#endif
typedef const char *c_caddr_t;

#ifndef _VM_OFFSET_T_DECLARED
typedef uintptr_t vm_offset_t;
#define	_VM_OFFSET_T_DECLARED
#endif
typedef uintptr_t vm_size_t;
typedef uint64_t vm_paddr_t;
typedef uint64_t vm_ooffset_t;
typedef uint64_t vm_pindex_t;
typedef int64_t sbintime_t;
typedef uint32_t fixpt_t;
typedef int boolean_t;
typedef uintptr_t u_register_t;
typedef long segsz_t;

#ifndef _LWPID_T_DECLARED
typedef int32_t lwpid_t;
#define	_LWPID_T_DECLARED
#endif

#endif /* STACK9_SYS_TYPES_H */
