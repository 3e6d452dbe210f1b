/*
 * Lets files include FreeBSD's <sys/dtrace_bsd.h>.  It declares nothing here.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
