/*
 * Includes the C library's <spawn.h>.  It has a member called __used: in
 * FreeBSD's <sys/cdefs.h> that is a macro.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#include <sys/cdefs.h>
#pragma push_macro("__used")
#undef __used
#include_next <spawn.h>
#pragma pop_macro("__used")
