// Prints the stack of each event.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "tools/events/options.h"

namespace stacksnoop {

int run(const events::options &);

} // namespace stacksnoop
