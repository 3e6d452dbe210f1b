// Makes the closing line, the advice and the exit status from the same numbers.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <stack9_watch.h>

#include "options.h"
#include "screen.h"

namespace events {

// Gives "1234 events: 1230 kept, 17 stacks, 4 without room" without an end of
// line.
std::string closing_line(const options &, const stack9_tally &);

// Prints a message for each number that should be 0.
void advise(const options &, const stack9_tally &, screen &);

// Says why functions of the kernel appear as addresses.
void report_hidden_names(screen &);

int exit_status(const stack9_tally &, bool failed);

} // namespace events
