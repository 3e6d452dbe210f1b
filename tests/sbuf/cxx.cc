// Compiles ported.h as strict C++20.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "ported.h"

extern "C" const char *ported_cxx(void);

const char *
ported_cxx(void)
{
	static struct report r;

	return (report_fill(&r) == 0 ? r.text : "error");
}
