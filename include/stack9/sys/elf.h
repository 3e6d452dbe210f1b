/*
 * Includes the C library's <elf.h>: here it is FreeBSD's <sys/elf.h>.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <elf.h>
