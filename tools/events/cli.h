// Describes the options that both programs have, reads the command line, and
// does what needs no watch.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>

#include "options.h"
#include "tools/lib/command_line.h"

namespace events {

using tools::command_line;

void describe_events(command_line &, options &);
void describe_stacks(command_line &, options &);
void describe_reporting(command_line &, options &, const char *formats);

// Returns an exit status if nothing is left to do.
std::optional<int> parse(command_line &, int argc, char **argv, options &);

// Lists the events that match o.event, a line each, and what each is.  Returns
// the exit status.
int list_events(const options &);

// Names options that contradict each other, or returns nullptr.
const char *contradiction(const options &);

} // namespace events
