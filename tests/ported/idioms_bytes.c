/*
 * Uses refcount(9), counter(9), byteorder(9), the kernel's small library and
 * what files from Solaris take, and asserts what they do here.  It is C and
 * C++20.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/cdefs.h>
__FBSDID("$FreeBSD$");

#include "opt_ktr.h"

#include <sys/param.h>
#include <sys/_types.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/endian.h>
#include <sys/kdb.h>
#include <sys/kmem.h>
#include <sys/ktr.h>
#include <sys/libkern.h>
#include <sys/proc.h>
#include <sys/refcount.h>
#include <sys/sysctl.h>
#include <sys/vmem.h>

#include "idioms.h"

static counter_u64_t packets;
COUNTER_U64_SYSINIT(packets);
SYSCTL_DECL(_debug_idiom);
SYSCTL_COUNTER_U64(_debug_idiom, OID_AUTO, packets, CTLFLAG_RW, &packets,
    "packets");

void
counts(void)
{
	counter_u64_t all[2];
	uint64_t copy[2], value, zero;
	volatile u_int refs;
	size_t len;

	refcount_init(&refs, 1);
	MUST(refcount_acquire(&refs) == 1 && refcount_load(&refs) == 2);
	MUST(refcount_acquire_if_not_zero(&refs));
	MUST(refcount_release_if_not_last(&refs) && refs == 2);
	MUST(!refcount_release(&refs) && refs == 1);
	MUST(!refcount_release_if_not_last(&refs) && refs == 1);
	MUST(refcount_release(&refs) && refs == 0);
	MUST(!refcount_acquire_if_not_zero(&refs) && refs == 0);
	refcount_init(&refs, 0x7fffffff);
	MUST(!refcount_acquire_checked(&refs));
	refcount_acquire(&refs);
	refcount_acquire(&refs);
	MUST(REFCOUNT_SATURATED(refs) && !refcount_release(&refs));

	counter_u64_add(packets, 7);
	counter_enter();
	counter_u64_add_protected(packets, -2);
	counter_exit();
	len = sizeof(value);
	MUST(sysctlbyname("debug.idiom.packets", &value, &len, NULL, 0) == 0);
	MUST(value == 5 && counter_u64_fetch(packets) == 5);
	zero = 0;
	MUST(sysctlbyname("debug.idiom.packets", NULL, NULL, &zero,
	    sizeof(zero)) == 0 && counter_u64_fetch(packets) == 0);
	COUNTER_ARRAY_ALLOC(all, 2, M_WAITOK);
	counter_u64_add(all[1], 3);
	COUNTER_ARRAY_COPY(all, copy, 2);
	MUST(copy[0] == 0 && copy[1] == 3);
	COUNTER_ARRAY_FREE(all, 2);
}

void
bytes(void)
{
	uint8_t at[9];
	__size_t n;
	__lwpid_t tid;

	bzero(at, sizeof(at));
	be16enc(at + 1, 0x0102);
	le32enc(at + 3, 0x03040506);
	MUST(at[0] == 0 && at[1] == 1 && at[2] == 2 && at[3] == 6 &&
	    at[6] == 3 && at[7] == 0);
	MUST(be16dec(at + 1) == 0x0102 && le16dec(at + 1) == 0x0201);
	MUST(le32dec(at + 3) == 0x03040506 && be32dec(at + 3) == 0x06050403);
	be64enc(at + 1, 0x0102030405060708ULL);
	MUST(be64dec(at + 1) == 0x0102030405060708ULL && at[8] == 8);
	MUST(le64dec(at + 1) == bswap64(0x0102030405060708ULL));
	MUST(bswap16(0x0102) == 0x0201 && bswap32(0x01020304) == 0x04030201);
	MUST(htobe16(0x0102) == (_BYTE_ORDER == _LITTLE_ENDIAN ? 0x0201 :
	    0x0102));

	MUST(fls(0) == 0 && fls(1) == 1 && flsl(0x40) == 7 && flsll(-1) == 64);
	MUST(ffs(0x40) == 7 && ffsl(0) == 0 && ffsll(1LL << 40) == 41);
	MUST(bcd2bin(0x42) == 42 && bin2bcd(42) == 0x42);
	MUST(hex2ascii(11) == 'b');
#ifndef __cplusplus
	MUST(imin(-1, 1) == -1 && lmax(-1, 1) == 1 && min(1u, 2u) == 1);
#endif
	n = sizeof(at);
	tid = curthread->td_tid;
	MUST(n == 9 && tid > 0);

	MUST(B_FALSE == 0 && B_TRUE == 1);
#ifdef __GLIBC__
	MUST(vmem_size(kmem_arena, VMEM_ALLOC) > 0);
#endif
}

/* A program may assign these: idioms_own.c defines one of them again. */
void
switches(void)
{
	u_int all;

	MUST(kdb_active == 0);
	kdb_active = 1;
	MUST(kdb_active == 1);
	kdb_active = 0;
	MUST((ktr_mask & KTR_ALL) == KTR_ALL);
	all = (u_int)ktr_mask;
	ktr_mask = KTR_GEOM;
	CTR0(KTR_GEN, "this record is dropped");
	CTR0(KTR_GEOM, "this record is kept");
	ktr_mask = all;
	MUST(PCPU_GET(cpuid) < (u_int)MAXCPU);
}
