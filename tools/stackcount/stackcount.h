// Declares the parts of stackcount: its command line, its work, and its text.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>

#include <fmt/format.h>

#include "tools/events/frames.h"
#include "tools/events/options.h"
#include "tools/profiles/profile.h"

namespace stackcount {

// Reads the command line.  Returns an exit status if nothing is left to do:
// after --help and --version, and after an error that it has printed.
std::optional<int> parse(int argc, char **argv, events::options &);

// Counts stacks until a signal, a limit, a duration or the end of the command,
// and prints them.  Returns the exit status.
int run(const events::options &);

// Compares two profiles that were recorded before: reads the files o.diff and
// o.event, and writes the difference.  Returns the exit status.
int run_diff(const events::options &);

// Writes stacks for people, as stackcount has printed them since 2016: frames
// innermost first, and the count below them.
void write_text(fmt::memory_buffer &, const profiles::profile &,
    const events::frames &, const events::options &);

} // namespace stackcount
