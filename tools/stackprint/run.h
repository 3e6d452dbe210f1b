// Runs the program from the threads that were named to the last line.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "options.h"

namespace stackprint {

// Returns the exit status.
int run(const options &);

} // namespace stackprint
