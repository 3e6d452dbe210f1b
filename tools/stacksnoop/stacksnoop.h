// Declares the two parts of stacksnoop: its command line and its work. main()
// calls the one, then the other.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>

#include "tools/events/options.h"

namespace stacksnoop {

// Reads the command line.  Returns an exit status if nothing is left to do:
// after --help and --version, and after an error that it has printed.
std::optional<int> parse(int argc, char **argv, events::options &);

// Prints the stack of each event until a signal, a limit, a duration or the end
// of the command.  Returns the exit status.
int run(const events::options &);

} // namespace stacksnoop
