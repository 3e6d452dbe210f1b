// Chooses what suits a person who looks at a terminal.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "options.h"

namespace stackprint {

// Gives the options as they are, or, if stdout is a terminal, with groups for a
// process of many threads, with few lines of thread ids, and with a word on
// files that lack names or were deleted.
options for_terminal(options);

} // namespace stackprint
