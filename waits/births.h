// Takes back the owners of locks that were born after the wait began.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "last_runs.h"
#include "blocked.h"

namespace stack9::waits {

// Clears the holders of those waiters whose lock names the tid of such a
// thread.  No process is asked if every owner is older than who waits for it.
void drop_newborn(std::vector<blocked> &, last_runs &);

} // namespace stack9::waits
