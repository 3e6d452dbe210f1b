// From the threads that were named to the last line.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "options.h"

namespace stackprint {

// The exit status.
int run(const options &);

} // namespace stackprint
