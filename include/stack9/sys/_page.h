/*
 * Defines the size of a page as FreeBSD does.  glibc's <sys/user.h> has macros
 * with the same names and another meaning, so this file is included after it
 * again, and has no guard.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#undef PAGE_SHIFT
#undef PAGE_SIZE
#undef PAGE_MASK
#ifdef __x86_64__
#define	PAGE_SHIFT	12
#define	PAGE_SIZE	(1 << PAGE_SHIFT)
#else	/* only x86-64 always has pages of 4096 bytes */
#define	PAGE_SIZE	((int)sysconf(_SC_PAGESIZE))
#endif
#define	PAGE_MASK	(PAGE_SIZE - 1)
