/*
 * Gives the functions that FreeBSD's kernel has in its own library: least and
 * greatest numbers, bits, digits.  Those of strings and of sorting are libc's.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_LIBKERN_H
#define STACK9_SYS_LIBKERN_H

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/cdefs.h>
#include <sys/types.h>

#ifndef __cplusplus	/* C++ has std::min() and std::max() */
#define	STACK9_MINMAX_(least, most, type)				\
static inline type least(type a, type b) { return (a < b ? a : b); }	\
static inline type most(type a, type b) { return (a > b ? a : b); }
STACK9_MINMAX_(min, max, u_int)
STACK9_MINMAX_(imin, imax, int)
STACK9_MINMAX_(lmin, lmax, long)
STACK9_MINMAX_(ulmin, ulmax, u_long)
STACK9_MINMAX_(qmin, qmax, int64_t)
STACK9_MINMAX_(uqmin, uqmax, uint64_t)
STACK9_MINMAX_(omin, omax, off_t)
#undef STACK9_MINMAX_
#endif

/* The number of the lowest or the highest bit, from 1; 0: there is none.  Some
 * C libraries declare these, others do not. */
#define	STACK9_FIND_(first, last, type, lowest, zeros)			\
static inline int							\
stack9_##first(type mask)						\
{									\
	return (lowest(mask));						\
}									\
static inline int							\
stack9_##last(type mask)						\
{									\
	return (mask == 0 ? 0 : (int)sizeof(mask) * 8 - zeros(mask));	\
}
STACK9_FIND_(ffs, fls, int, __builtin_ffs, __builtin_clz)
STACK9_FIND_(ffsl, flsl, long, __builtin_ffsl, __builtin_clzl)
STACK9_FIND_(ffsll, flsll, long long, __builtin_ffsll, __builtin_clzll)
#undef STACK9_FIND_
#define	ffsl		stack9_ffsl
#define	ffsll		stack9_ffsll
#define	fls		stack9_fls
#define	flsl		stack9_flsl
#define	flsll		stack9_flsll

#define	bcd2bin(bcd)	((u_char)(((bcd) >> 4) * 10 + ((bcd) & 0xf)))
#define	bin2bcd(bin)	((u_char)((bin) / 10 << 4 | (bin) % 10))
#define	hex2ascii(hex)	("0123456789abcdefghijklmnopqrstuvwxyz"[hex])
#define	validbcd(bcd)	((bcd) >= 0 && (bcd) <= 0x99 && ((bcd) & 0xf) < 10)

/* True: all len bytes at p are 0. */
static inline int
stack9_is_zero(const void *p, size_t len)
{
	const u_char *at = (const u_char *)p;

	while (len > 0 && *at == 0) {
		at++;
		len--;
	}
	return (len == 0);
}
#define	iszero(p, len)	stack9_is_zero((p), (len))

#endif /* STACK9_SYS_LIBKERN_H */
