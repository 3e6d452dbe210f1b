/*
 * Lets files include FreeBSD's <sys/linker.h>.  It declares nothing here.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
