/*
 * Includes C's <ctype.h>: here it is FreeBSD's <sys/ctype.h>.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <ctype.h>
