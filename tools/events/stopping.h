// Ctrl-C and SIGTERM end the watching, not the program: what there is is still
// told.  A second one ends the program.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace events {

// Calls that wait return EINTR then.  SIGCHLD makes them return too.
void catch_signals();

bool stop_was_asked();

} // namespace events
