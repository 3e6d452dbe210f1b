/*
 * Gives the types that FreeBSD's headers use among themselves.  glibc has most
 * of them under the same names.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS__TYPES_H
#define STACK9_SYS__TYPES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifndef __GLIBC__
typedef int8_t		__int8_t;
typedef uint8_t		__uint8_t;
typedef int16_t		__int16_t;
typedef uint16_t	__uint16_t;
typedef int32_t		__int32_t;
typedef uint32_t	__uint32_t;
typedef int64_t		__int64_t;
typedef uint64_t	__uint64_t;
typedef intmax_t	__intmax_t;
typedef uintmax_t	__uintmax_t;
typedef dev_t		__dev_t;
typedef gid_t		__gid_t;
typedef id_t		__id_t;
typedef ino_t		__ino_t;
typedef mode_t		__mode_t;
typedef nlink_t		__nlink_t;
typedef off_t		__off_t;
typedef pid_t		__pid_t;
typedef ssize_t		__ssize_t;
typedef time_t		__time_t;
typedef clock_t		__clock_t;
typedef suseconds_t	__suseconds_t;
typedef useconds_t	__useconds_t;
typedef uid_t		__uid_t;
#endif
#undef __size_t		/* a guard of GCC's <stddef.h> */
typedef size_t		__size_t;
typedef ptrdiff_t	__ptrdiff_t;
typedef uintptr_t	__uintptr_t;
typedef intptr_t	__intfptr_t;
typedef uintptr_t	__uintfptr_t;
typedef long		__register_t;
typedef u_register_t	__u_register_t;
typedef segsz_t		__segsz_t;
typedef fixpt_t		__fixpt_t;
typedef lwpid_t		__lwpid_t;
typedef sbintime_t	__sbintime_t;
typedef vm_offset_t	__vm_offset_t;
typedef vm_size_t	__vm_size_t;
typedef vm_paddr_t	__vm_paddr_t;
typedef vm_ooffset_t	__vm_ooffset_t;
typedef vm_pindex_t	__vm_pindex_t;

#endif /* STACK9_SYS__TYPES_H */
