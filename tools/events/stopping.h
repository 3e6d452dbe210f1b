// Lets Ctrl-C and SIGTERM end the watch but not the program, which still prints
// what it has.  A second signal ends the program.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace events {

// A call that waits then returns EINTR.  SIGCHLD makes it return, too.
void catch_signals();

bool stop_was_asked();

} // namespace events
