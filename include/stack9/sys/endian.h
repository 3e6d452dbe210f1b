/*
 * Converts numbers between the orders of their bytes, and reads and writes them
 * at any address.  The functions are libbsd's where the compiler is told to use
 * libbsd's overlay.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_ENDIAN_H
#define STACK9_SYS_ENDIAN_H

#include <sys/cdefs.h>
#include <sys/types.h>
#include <endian.h>
#include <stdint.h>
#ifdef LIBBSD_OVERLAY
#if __has_include_next(<sys/endian.h>)
#include_next <sys/endian.h>
#endif
#endif

#ifndef _BYTE_ORDER
#define	_BYTE_ORDER	BYTE_ORDER
#endif
#ifndef _LITTLE_ENDIAN
#define	_LITTLE_ENDIAN	LITTLE_ENDIAN
#endif
#ifndef _BIG_ENDIAN
#define	_BIG_ENDIAN	BIG_ENDIAN
#endif
#ifndef _PDP_ENDIAN
#define	_PDP_ENDIAN	PDP_ENDIAN
#endif

#ifndef bswap16
#define	bswap16(x)	__builtin_bswap16(x)
#define	bswap32(x)	__builtin_bswap32(x)
#define	bswap64(x)	__builtin_bswap64(x)
#endif

/* libbsd's header has this guard. */
#ifndef LIBBSD_SYS_ENDIAN_H
#define	STACK9_ENDIAN_(order, bits)					\
static inline uint##bits##_t						\
order##bits##dec(const void *from)					\
{									\
	uint##bits##_t x;						\
									\
	__builtin_memcpy(&x, from, sizeof(x));				\
	return (order##bits##toh(x));					\
}									\
static inline void							\
order##bits##enc(void *to, uint##bits##_t x)				\
{									\
	x = hto##order##bits(x);					\
	__builtin_memcpy(to, &x, sizeof(x));				\
}
STACK9_ENDIAN_(be, 16)
STACK9_ENDIAN_(be, 32)
STACK9_ENDIAN_(be, 64)
STACK9_ENDIAN_(le, 16)
STACK9_ENDIAN_(le, 32)
STACK9_ENDIAN_(le, 64)
#undef STACK9_ENDIAN_
#endif

#endif /* STACK9_SYS_ENDIAN_H */
