/*
 * Includes C's <ctype.h>, which FreeBSD's <sys/ctype.h> is here.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <ctype.h>
