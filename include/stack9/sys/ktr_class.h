/*
 * Gives the classes of ktr(4)'s records.  A file that defines KTR has all of
 * them, unless it defines KTR_COMPILE.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_SYS_KTR_CLASS_H
#define STACK9_SYS_KTR_CLASS_H

#define	KTR_GEN		0x00000001
#define	KTR_NET		0x00000002
#define	KTR_DEV		0x00000004
#define	KTR_LOCK	0x00000008
#define	KTR_SMP		0x00000010
#define	KTR_SUBSYS	0x00000020
#define	KTR_PMAP	0x00000040
#define	KTR_MALLOC	0x00000080
#define	KTR_TRAP	0x00000100
#define	KTR_INTR	0x00000200
#define	KTR_SIG		0x00000400
#define	KTR_SPARE2	0x00000800
#define	KTR_PROC	0x00001000
#define	KTR_SYSC	0x00002000
#define	KTR_INIT	0x00004000
#define	KTR_SPARE3	0x00008000
#define	KTR_SPARE4	0x00010000
#define	KTR_EVH		0x00020000
#define	KTR_VFS		0x00040000
#define	KTR_VOP		0x00080000
#define	KTR_VM		0x00100000
#define	KTR_INET	0x00200000
#define	KTR_RUNQ	0x00400000
#define	KTR_SPARE5	0x00800000
#define	KTR_UMA		0x01000000
#define	KTR_CALLOUT	0x02000000
#define	KTR_GEOM	0x04000000
#define	KTR_BUSDMA	0x08000000
#define	KTR_INET6	0x10000000
#define	KTR_SCHED	0x20000000
#define	KTR_BUF		0x40000000
#define	KTR_PTRACE	0x80000000
#define	KTR_ALL		0xffffffff

#ifdef KTR
#ifndef KTR_COMPILE
#define	KTR_COMPILE	(KTR_ALL)
#endif
#else
#undef KTR_COMPILE
#define	KTR_COMPILE	0
#endif

#endif /* STACK9_SYS_KTR_CLASS_H */
