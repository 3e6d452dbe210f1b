// stackcount's command line.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>

#include "tools/events/options.h"

namespace stackcount {

// An exit status if there is nothing left to do (help, version, usage).
std::optional<int> parse(int argc, char **argv, events::options &);

} // namespace stackcount
