// The closing line, what would have helped, and the exit status: all from the
// same numbers.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <stack9_watch.h>

#include "options.h"
#include "screen.h"

namespace events {

// "1234 events: 1230 kept, 17 stacks, 4 without room"; without its end of line.
std::string closing_line(const options &, const stack9_watch_tally &);

// A message for each number that should be 0.
void advise(const options &, const stack9_watch_tally &, screen &);

// Why functions of the kernel are addresses.
void tell_hidden_names(screen &);

int exit_status(const stack9_watch_tally &, bool failed);

} // namespace events
