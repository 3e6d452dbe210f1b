// Declares an open core of the options, and what is done with one.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include <stack9_core.h>

#include "options.h"
#include "tools/lib/output.h"

namespace stackprint {

struct core_closer {
	void operator()(stack9_core *c) const { stack9_core_close(c); }
};
using unique_core = std::unique_ptr<stack9_core, core_closer>;

// Opens --core, or with --dump alone the process.  0, or an errno with a
// sentence in stack9_reason().
int open_core(const options &, unique_core &);

// Says what is missing, the first few of it.
void report_missing(const options &, const stack9_core *, tools::output &);

} // namespace stackprint
