/*
 * Lets files include FreeBSD's <fs/devfs/devfs.h>.  It declares nothing here.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
