/*
 * FreeBSD's <sys/elf.h> is the C library's <elf.h> here.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <elf.h>
