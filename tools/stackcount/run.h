// Counts stacks and prints them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "tools/events/options.h"

namespace stackcount {

int run(const events::options &);

} // namespace stackcount
