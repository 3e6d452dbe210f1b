// Takes back the owners of locks that were born after the wait began.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "blocked.h"

namespace stack9::waits {

// Clears the holders of those waiters whose lock names the tid of such a
// thread.
void drop_newborn(std::vector<blocked> &);

} // namespace stack9::waits
