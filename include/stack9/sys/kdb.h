/*
 * Declares the part of kdb(9) that prints stacks.  There is no debugger to
 * enter.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#ifndef STACK9_SYS_KDB_H
#define STACK9_SYS_KDB_H

#include <sys/systm.h>

struct thread;

#define	KDB_WHY_UNSET		NULL
#define	KDB_WHY_PANIC		"panic"
#define	KDB_WHY_KASSERT		"kassert"
#define	KDB_WHY_WITNESS		"witness"
#define	KDB_WHY_WATCHDOG	"watchdog"
#define	KDB_WHY_SYSCTL		"sysctl"
#define	KDB_WHY_BREAK		"break"
#define	KDB_WHY_TRAP		"trap"
#define	KDB_WHY_BOOTFLAGS	"bootflags"
#define	KDB_WHY_CAM		"cam"
#define	KDB_WHY_ACPI		"acpi"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The library never sets it.  A program may define its own, or assign it. */
#if defined(__FreeBSD_version) && __FreeBSD_version < 1000000
extern int	kdb_active;
#else
extern u_char	kdb_active;
#endif

/* Print "KDB: stack backtrace:" or the like and a stack, on the console. */
void	stack9_kdb_backtrace(void);
void	stack9_kdb_backtrace_thread(struct thread *td);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* A file that defines such a function replaces ours for itself. */
#define	kdb_backtrace(...)	stack9_kdb_backtrace(__VA_ARGS__)
#define	kdb_backtrace_thread(...)	stack9_kdb_backtrace_thread(__VA_ARGS__)
/* Without a debugger the kernel prints the reason and goes on. */
#define	kdb_enter(why, msg)	((void)(why), (void)stack9_printf(	\
	"KDB: enter: %s\n", msg))

#endif /* STACK9_SYS_KDB_H */
