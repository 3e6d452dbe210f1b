/*
 * Gives C's <stdarg.h> under the name that it has in FreeBSD's kernel.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdarg.h>
