/*
 * Includes Linux's <linux/icmp.h>.  It has a member called __unused, and in
 * FreeBSD's <sys/cdefs.h> that is a macro.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#pragma GCC system_header
#include <sys/cdefs.h>
#pragma push_macro("__unused")
#undef __unused
#include_next <linux/icmp.h>
#pragma pop_macro("__unused")
