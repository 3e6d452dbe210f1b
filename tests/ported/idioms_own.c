/*
 * Defines a variable of the kernel again, as FreeBSD's subr_kdb.c does.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/cdefs.h>
__FBSDID("$FreeBSD$");

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kdb.h>

u_char __read_mostly kdb_active = 0;
