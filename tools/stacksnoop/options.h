// Reads the command line of stacksnoop.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>

#include "tools/events/options.h"

namespace stacksnoop {

// Returns an exit status if nothing is left to do (help, version, usage).
std::optional<int> parse(int argc, char **argv, events::options &);

} // namespace stacksnoop
