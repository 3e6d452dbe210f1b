/*
 * Includes the C library's <elf.h>, which FreeBSD's <sys/elf.h> is here.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <elf.h>
