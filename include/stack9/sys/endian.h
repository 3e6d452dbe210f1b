/*
 * Converts numbers between the orders of their bytes, and reads and writes them
 * at any address.  The functions are libbsd's where the compiler uses libbsd's
 * overlay.
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
#define	_BYTE_ORDER	__BYTE_ORDER__
#endif
#ifndef _LITTLE_ENDIAN
#define	_LITTLE_ENDIAN	__ORDER_LITTLE_ENDIAN__
#endif
#ifndef _BIG_ENDIAN
#define	_BIG_ENDIAN	__ORDER_BIG_ENDIAN__
#endif
#ifndef _PDP_ENDIAN
#define	_PDP_ENDIAN	__ORDER_PDP_ENDIAN__
#endif

#ifndef bswap16
#define	bswap16(x)	__builtin_bswap16(x)
#define	bswap32(x)	__builtin_bswap32(x)
#define	bswap64(x)	__builtin_bswap64(x)
#endif

/* The C library hides its own from a file in strict C. */
#ifndef be16toh
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define	htobe16(x)	bswap16(x)
#define	htobe32(x)	bswap32(x)
#define	htobe64(x)	bswap64(x)
#define	htole16(x)	((uint16_t)(x))
#define	htole32(x)	((uint32_t)(x))
#define	htole64(x)	((uint64_t)(x))
#else
#define	htobe16(x)	((uint16_t)(x))
#define	htobe32(x)	((uint32_t)(x))
#define	htobe64(x)	((uint64_t)(x))
#define	htole16(x)	bswap16(x)
#define	htole32(x)	bswap32(x)
#define	htole64(x)	bswap64(x)
#endif
#define	be16toh(x)	htobe16(x)
#define	be32toh(x)	htobe32(x)
#define	be64toh(x)	htobe64(x)
#define	le16toh(x)	htole16(x)
#define	le32toh(x)	htole32(x)
#define	le64toh(x)	htole64(x)
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
