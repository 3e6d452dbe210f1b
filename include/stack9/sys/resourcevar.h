/*
 * Lets files include FreeBSD's <sys/resourcevar.h>.  It declares nothing here.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
