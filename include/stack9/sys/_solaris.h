/*
 * Gives the types and truths that files from Solaris take from their
 * <sys/types.h>.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS__SOLARIS_H
#define STACK9_SYS__SOLARIS_H

#include <sys/types.h>

#ifndef B_FALSE
#define	B_FALSE	0
#define	B_TRUE	1
#endif

typedef unsigned char		uchar_t;
typedef unsigned short		ushort_t;
typedef unsigned int		uint_t;
typedef unsigned long		ulong_t;
typedef long long		longlong_t;
typedef unsigned long long	u_longlong_t;
typedef off_t			offset_t;

#endif /* STACK9_SYS__SOLARIS_H */
