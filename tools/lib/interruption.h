// Lets SIGINT and SIGTERM end the wait of --async but not the program: it still
// prints what it has and then ends by that signal.  A second signal ends the
// program at once.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace tools {

// Installs the handlers once.  A signal that is ignored at the start stays
// ignored.  Returns a descriptor that is readable after the first signal.  -1:
// there is none, and signals end the program as ever.
int catch_interruption();

// Returns the signal that came, or 0.
int interruption();

// Ends the program by the signal that came; returns if none came.
void end_by_interruption();

} // namespace tools
