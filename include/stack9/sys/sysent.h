/*
 * Lets files include FreeBSD's <sys/sysent.h>.  It declares nothing here.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
