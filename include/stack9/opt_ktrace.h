/*
 * Stands for FreeBSD's opt_ktrace.h.
 * No option is set; -D on the compiler's command line sets one.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
