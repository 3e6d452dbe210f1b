/*
 * Lets files include FreeBSD's <machine/kdb.h>.  It declares nothing here.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
