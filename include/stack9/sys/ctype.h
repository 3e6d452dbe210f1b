/*
 * FreeBSD's <sys/ctype.h> is C's <ctype.h> here.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <ctype.h>
