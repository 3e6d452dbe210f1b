// Compares two profiles that were recorded before.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "tools/events/options.h"

namespace stackcount {

// Reads o.diff and o.event, which are files, and writes the difference.
// Returns the exit status.
int run_diff(const events::options &);

} // namespace stackcount
