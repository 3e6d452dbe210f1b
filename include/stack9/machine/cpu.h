/*
 * Gives what portable kernel code takes from FreeBSD's <machine/cpu.h>.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_MACHINE_CPU_H
#define STACK9_MACHINE_CPU_H

#ifdef __x86_64__
#define	cpu_spinwait()	__builtin_ia32_pause()
#else
#define	cpu_spinwait()	__asm__ __volatile__("" ::: "memory")
#endif

#endif /* STACK9_MACHINE_CPU_H */
