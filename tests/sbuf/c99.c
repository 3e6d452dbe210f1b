/*
 * Compiles ported.h as strict C99.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "ported.h"

const char *ported_c99(void);

const char *
ported_c99(void)
{
	static struct report r;

	return (report_fill(&r) == 0 ? r.text : "error");
}
